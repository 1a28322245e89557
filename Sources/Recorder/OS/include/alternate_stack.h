// The alternate stacks that the recorder lends to threads that have none: without one nobody is told of a stack that overflows.
// The program is told that it has none, and gets back what it expects as soon as a handler of its own asks for one.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

// From now on they are lent; the calling thread gets one.
void gp_alternate_stack_begin(void);

// Whether they are lent.
bool gp_alternate_stack_lends(void);

// To the calling thread, if they are lent. `stack`: what it or an earlier thread was lent, to be lent again; NULL there: nothing
// yet.
void gp_alternate_stack_lend(void **stack);

// The program sets this action: a handler that asks for an alternate stack runs on the thread's own where it set none. The
// stack is taken back from the calling thread alone; another's is large enough for most handlers. None is lent any more, but for
// the Swift runtime's reporter, which the recorder stands in front of.
void gp_alternate_stack_yield(const struct sigaction *action, bool is_reporter);

// A handler could begin only on the lent stack, since the calling thread's own is full: the program's is not to be called, for
// without the recorder the signal ends the program here. Costs what gp_thread_stack_overflows does.
bool gp_alternate_stack_was_needed(const siginfo_t *info, const ucontext_t *context);

// The program is about to filter its system calls: the calling thread's is taken back, and none is asked for any more.
void gp_alternate_stack_end(void);

// sigaltstack(2) as the program sees it. Returns 0 or a negative errno.
long gp_alternate_stack_set(const stack_t *stack, stack_t *old);
