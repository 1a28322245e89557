// Functions that end in a jump to another, and so are missing from the stack.
#ifndef GP_HISTORY_TAIL_CALL_H
#define GP_HISTORY_TAIL_CALL_H

#include <stdint.h>

// The function that was called where `pc` returns to, when it is another than `callee`, which was come to: it jumped
// there. 0: none, or not to be told (an indirect call).
uintptr_t gp_tail_caller(uintptr_t pc, uintptr_t callee);

#endif
