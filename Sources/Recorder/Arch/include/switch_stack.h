// Running a function on another stack.
#pragma once

#include <signal.h>
#include <stdbool.h>

// Calls function(info, context) with the stack pointer at `top`, which is aligned to 16 bytes.
bool gp_call_on_stack(unsigned char *top, bool (*function)(siginfo_t *, void *), siginfo_t *info, void *context);
