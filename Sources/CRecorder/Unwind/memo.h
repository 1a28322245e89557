// The verified memo of a stack. Unwinding is a function of the innermost registers and of the words read on the way;
// while those are unchanged, so is the stack.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"
#include "stack.h"

struct gp_thread;

// Knows no stack from now on.
void gp_memo_forget(gp_stack_memo *memo);

// Makes the last memo of `stacks` know the stack that starts at `start`: unwinds what of it has changed. `exact`: its
// innermost frame was interrupted. Returns the id of the stack, 0: nothing could be read, or there is no memory.
uint32_t gp_memo_renew(struct gp_thread *thread, gp_stacks *stacks, gp_registers start, bool exact);

// Makes a memo know what another one does.
void gp_memo_copy(gp_stack_memo *memo, const gp_stack_memo *other);
