// Nothing is compiled: the header says all.
#include "InstrumentationOff.h"
