// How a library that is linked into the program has it recorded where the environment does not say so.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Defined by that library: writes the trace's path and returns true when allocations and leaks are to be recorded. Called
// before the first allocation; it may not allocate.
extern __attribute__((weak)) bool gp_own_recording(char *path, size_t capacity);

// A variable of the environment, also before the C library is initialised; NULL: not set.
const char *gp_own_variable(const char *name);
