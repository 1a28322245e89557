// The kernel's list of this process's threads, and others of its lists of numbers, read without allocating.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Calls `visit` with each entry of the folder that is a number; stops when it returns false. False: it cannot be read.
bool gp_numbers_each(const char *folder, bool (*visit)(uint32_t number, void *context), void *context);

// Calls `visit` with each thread id; stops when it returns false. False: /proc cannot be read.
bool gp_task_each(bool (*visit)(uint32_t id, void *context), void *context);

// Whether the thread is gone or a zombie: it will never answer a signal.
bool gp_task_has_ended(uint32_t id);
