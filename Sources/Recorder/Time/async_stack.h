// The logical stack of an async function: who awaits it. The thread's own stack ends at the executor that resumed it;
// the awaiting callers are a chain of contexts in the task's memory, and code that keeps frame pointers keeps its
// context right below its frame.
#pragma once

#include <stdint.h>

#include "stack.h"

struct gp_thread;

enum { GP_AWAITING_CALLERS_MOST = 64, GP_ASYNC_SPANS_MOST = 6, GP_ASYNC_SPAN_BYTES = 1024 };

// The callers that a thread's last sample found, and where their contexts lie: most lie close together, and are there
// again in the next sample, which reads those parts of the task's memory in one system call.
typedef struct {
    uint32_t callers, spans;
    uintptr_t resumes[GP_AWAITING_CALLERS_MOST];  // where each goes on, the nearest first
    struct {
        uintptr_t start, end;  // in one page
    } span[GP_ASYNC_SPANS_MOST];
    uint8_t bytes[GP_ASYNC_SPANS_MOST][GP_ASYNC_SPAN_BYTES];  // the spans as they are in this sample
} gp_async_chain;

// Finds the executor's entry in libswift_Concurrency. Calls dlsym: when sampling starts, not in a handler.
void gp_async_stack_prepare(void);

// The id of the stack in `stacks->last` with its awaiting callers in place of the executor; `node` when there are none.
// `chain` is the thread's. Async-signal-safe; one system call, and one more for each awaiting caller where the last
// sample had none.
uint32_t gp_async_stack_id(struct gp_thread *thread, const gp_stacks *stacks, gp_async_chain *chain, uint32_t node);
