// The alternate stack that the recorder lends to a thread that has none: without one nobody is told of a stack that overflows.
// The program is told that it has none, and gets back what it expects as soon as a handler of its own asks for one.
#pragma once

#include <signal.h>

// To the calling thread.
void gp_alternate_stack_lend(void);

// The program sets this action: a handler that asks for an alternate stack runs on the thread's own where it set none. The
// stack is taken back from the calling thread alone; another's lent stack is large enough for a handler of the program's.
void gp_alternate_stack_yield(const struct sigaction *action);

// The program is about to filter its system calls: the calling thread's is taken back, and none is asked for any more.
void gp_alternate_stack_end(void);

// sigaltstack(2) as the program sees it. Returns 0 or a negative errno.
long gp_alternate_stack_set(const stack_t *stack, stack_t *old);
