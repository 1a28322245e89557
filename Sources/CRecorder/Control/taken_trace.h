// Traces that must not be written over: a linked recorder's path stands in the environment, which the program's children
// and the program that it becomes by exec see as well.
#pragma once

#include <stdbool.h>

// Whether a process records into `path` at this moment.
bool gp_trace_is_being_written(const char *path);

// Whether that is so, or this process recorded into `path` before it became this program.
bool gp_trace_is_taken(const char *path);
