// Functions that end in a jump to another, and so are missing from the stack.
#pragma once

#include <stdint.h>

// The function that was called where `pc` returns to, when it is another than `callee`, which was come to: it jumped
// there. 0: none, or not known (an indirect call).
uintptr_t gp_tail_caller(uintptr_t pc, uintptr_t callee);
