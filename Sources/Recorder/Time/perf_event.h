// A perf event that counts a thread's CPU time and sends it a signal after each period. It fires in user mode only: a
// signal that came in the kernel would end a blocking call with EINTR. What passes there is for a CPU timer. As a trap of the very instruction (SIGTRAP) it
// costs half of what a signal by way of the event's file costs.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// Whether the kernel sends SIGTRAP without harm: it ends no program that blocks it (Linux 5.18), and no debugger would
// stop at each.
bool gp_perf_event_may_trap(void);

// The event's descriptor, or a negative errno; it does not count yet. `thread`: kernel thread id of this process. `signal`:
// SIGTRAP for a trap, any other by way of the event's file.
int gp_perf_event_open(uint32_t thread, uint64_t period_ns, int signal);

// Lets it count. False: refused.
bool gp_perf_event_begin(int event);

// Changes its period, from the next sample on. False: refused. Async-signal-safe.
bool gp_perf_event_set_period(int event, uint64_t period_ns);

void gp_perf_event_close(int event);

// Whether a SIGTRAP comes from an event that was opened here.
bool gp_perf_event_sent(const siginfo_t *info);

// Why perf events are refused: a clause that goes on after "because". `error`: the negative errno.
const char *gp_perf_event_refusal(int error);

// A timer on a thread's CPU clock that sends it a signal. The kernel looks at it only at its own ticks, so that one
// signal stands for several periods (siginfo_t.si_overrun).

// The kernel's number of the timer, or a negative errno. `first_ns`: until its first signal.
int gp_cpu_timer_make(uint32_t thread, uint64_t first_ns, uint64_t period_ns, int signal);

void gp_cpu_timer_remove(int timer);

// Whether a signal comes from a timer that was made here.
bool gp_cpu_timer_sent(const siginfo_t *info);

// User and system time of a thread of this process in nanoseconds, 0: it has ended.
uint64_t gp_cpu_time(uint32_t thread);
