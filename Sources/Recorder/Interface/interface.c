// The header stands alone: what it declares is defined by the floors above.
#include "CRecorderInterface.h"
