// The logical stack of an async function: who awaits it. The thread's own stack ends at the executor that resumed it;
// the awaiting callers are a chain of contexts in the task's memory, and code that keeps frame pointers keeps its
// context right below its frame.
#pragma once

#include <stdbool.h>
#include <stddef.h>
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

// Stacks that are deeper than a memo keeps. A sample below a recursion still belongs to whom began it, so their outermost
// frames are put above those that were kept; what lies between is left out.

enum { GP_OUTERMOST_FRAMES = 64 };

// The outermost frames of a thread's last deep stack.
typedef struct {
    uint32_t count;  // 0: none are known
    uint32_t node;  // of the innermost of them
    uint32_t generation;  // of the image list
    bool lies_on_stack;  // pc[i] stands at slot[i] for each, and can be looked at again
    uintptr_t pc[GP_OUTERMOST_FRAMES];  // outermost first
    uintptr_t slot[GP_OUTERMOST_FRAMES];
} gp_outermost_frames;

// The id of the same stack with its outermost frames, for the stack that was taken last (`node`); `node` itself where
// nothing is missing or the stack is too deep to be walked to its end. While the outermost frames stand as they did at the
// last deep stack, 200 ns; else 10 to 30 ns for each frame left out.
uint32_t gp_deep_stack_id(struct gp_thread *thread, const gp_stacks *stacks, gp_outermost_frames *outermost,
                          uint32_t node);

// The stack of a thread that waits in the kernel, by its stack pointer and program counter alone: the kernel tells no
// other register. The stack is copied first, so that a thread that wakes up and ends does no harm.

enum { GP_REMOTE_DEPTH = 1024, GP_REMOTE_COPY = 1 << 20 };

// Room for the copy; not for the stack of the caller.
typedef struct {
    uintptr_t start;  // of the words in the observed thread
    size_t size;  // bytes that were copied
    uintptr_t words[GP_REMOTE_COPY / sizeof(uintptr_t)];
} gp_stack_copy;

// The id of the stack (see gp_stack_id). Frames are written by `writer`. 0: nothing could be read.
uint32_t gp_remote_stack_id(struct gp_thread *writer, gp_stack_copy *copy, uintptr_t pc, uintptr_t sp);
