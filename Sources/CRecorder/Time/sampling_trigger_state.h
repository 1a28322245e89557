// What interrupts a thread after each period of its CPU time: a perf event of its own, or a CPU timer.
#pragma once

#include <stdbool.h>

#include "sampled_thread.h"

// Has the thread sampled from now on, for the first time at random within its first period.
void gp_sampled_thread_arm(gp_sampled_thread *thread);

// Ends that. It may be asked for by several threads at once.
void gp_sampled_thread_disarm(gp_sampled_thread *thread);

// At the first signal of a perf event: gives it its period. False: its first time fell into the kernel, where no sample
// is taken, and this is a later one, after no more than a part of a period. Async-signal-safe.
bool gp_sampled_thread_begin_regularly(gp_sampled_thread *thread);
