// Code whose instructions the kernel, or whoever reads a stack, looks at.
#pragma once

#include <stdint.h>

// Where a handler that was set past libc returns to.
void gp_return_from_handler(void) __attribute__((visibility("hidden")));

// Sets the signal mask and waits on: the kernel has kept what was being waited for, and until when, and forgets it when
// a handler returns in the usual way (rt_sigreturn). Its code ends at gp_wait_on_end.
long gp_wait_on(const uint64_t *mask) __attribute__((visibility("hidden")));
extern __attribute__((visibility("hidden"))) const char gp_wait_on_end[];
