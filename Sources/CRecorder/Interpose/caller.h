// Who called the function in which this stands, for the hooks.
#pragma once

#include "arch.h"

// Three arguments: what the hooked function's caller looked like just after the call.
#define CALLER GP_CALLER_VALUES()
