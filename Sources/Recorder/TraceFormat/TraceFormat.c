#include "TraceFormat.h"
