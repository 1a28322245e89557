// What the code in front of a return address says about who was called.
#pragma once

#include <stdint.h>

#include "waiting_stack.h"

// What stands in front of a return address, with regard to `function` (0: any). Direct calls and calls through the
// linkage tables are followed to their target.
gp_call_kind gp_call_before(uintptr_t address, uintptr_t function);

// The function that is called in front of a return address, behind the linkage tables. 0: none, or not known (a call
// by a register).
uintptr_t gp_called_before(uintptr_t address);

// First address of the function that holds `pc`, by its call frame information. 0: there is none.
uintptr_t gp_function_start(uintptr_t pc);
