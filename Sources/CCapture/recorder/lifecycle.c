#include "CCapture.h"
