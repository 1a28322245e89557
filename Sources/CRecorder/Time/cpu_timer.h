// A timer on a thread's CPU clock that sends it a signal. The kernel looks at it only at its own ticks, so that one
// signal stands for several periods (siginfo_t.si_overrun).
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// The kernel's number of the timer, or a negative errno. `first_ns`: until its first signal.
int gp_cpu_timer_make(uint32_t thread, uint64_t first_ns, uint64_t period_ns, int signal);

void gp_cpu_timer_remove(int timer);

// Whether a signal comes from a timer that was made here.
bool gp_cpu_timer_sent(const siginfo_t *info);

// User and system time of a thread of this process in nanoseconds, 0: it has ended.
uint64_t gp_cpu_time(uint32_t thread);
