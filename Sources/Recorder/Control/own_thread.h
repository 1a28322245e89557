// Threads of the recorder's own.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Makes a detached thread that blocks every signal but the recorder's own. What it takes to make it is not recorded. False: none
// could be made.
bool gp_own_thread_make(void *(*routine)(void *), void *argument, size_t stack_bytes);
