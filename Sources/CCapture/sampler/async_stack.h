// The logical stack of an async function: who awaits it. The thread's own stack ends at the executor that resumed it;
// the awaiting callers are a chain of contexts in the task's memory, and code that keeps frame pointers keeps its
// context right below its frame.
#ifndef GP_ASYNC_STACK_H
#define GP_ASYNC_STACK_H

#include <stdint.h>

#include "stack.h"

struct gp_thread;

// Finds the executor's entry in libswift_Concurrency. Calls dlsym: when sampling starts, not in a handler.
void gp_async_stack_prepare(void);

// The id of the stack in `stacks->last` with its awaiting callers in place of the executor; `node` when there are none.
// Async-signal-safe; one system call for each awaiting caller.
uint32_t gp_async_stack_id(struct gp_thread *thread, const gp_stacks *stacks, uint32_t node);

#endif
