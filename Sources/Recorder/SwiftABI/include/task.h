// Where Swift's concurrency runtime keeps what is known of a task: its name, the chain of its awaiting
// callers. The offsets are here and in task.c alone.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether the task that the calling thread runs has a name. Async-signal-safe.
bool gp_task_has_name(uintptr_t task);

// Copies the name of the task that the calling thread runs, one that has a name, with a NUL behind it, cut to fit, and
// returns its length; 0: it was not found. A few system calls. Async-signal-safe.
size_t gp_task_name(uintptr_t task, char *name, size_t capacity);

// The beginning of swift::AsyncContext: the awaiting caller's context, and the code that goes on there.
typedef struct {
    uintptr_t parent, resume;
} gp_async_context;
