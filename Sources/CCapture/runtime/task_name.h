#ifndef GP_TASK_NAME_H
#define GP_TASK_NAME_H

#include <stddef.h>
#include <stdint.h>

// Copies the name of a live task with a NUL behind it, cut to fit, and returns its length; 0: it has none.
// Async-signal-safe.
size_t gp_task_name(uintptr_t task, char *name, size_t capacity);

#endif
