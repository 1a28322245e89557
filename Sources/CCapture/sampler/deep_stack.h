// Stacks that are deeper than a memo keeps. A sample below a recursion still belongs to whom began it, so their outermost
// frames are put above those that were kept; what lies between is left out.
#ifndef GP_DEEP_STACK_H
#define GP_DEEP_STACK_H

#include "stack.h"

// The id of the same stack with its outermost frames, for the stack that was taken last (`node`); `node` itself where
// nothing is missing or the stack is too deep to be walked to its end. ~10 ns for each frame left out.
uint32_t gp_deep_stack_id(struct gp_thread *thread, const gp_stacks *stacks, uint32_t node);

#endif
