#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether the task that the calling thread runs has a name. Async-signal-safe.
bool gp_task_has_name(uintptr_t task);

// Copies the name of the task that the calling thread runs, one that has a name, with a NUL behind it, cut to fit, and
// returns its length; 0: it was not found. A few system calls. Async-signal-safe.
size_t gp_task_name(uintptr_t task, char *name, size_t capacity);
