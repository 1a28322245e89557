// The sampling profiler: a signal to each thread after every period of its CPU time, whose handler writes the stack.
// The handler has a writer and a stack memo of its own for each thread, so that it may interrupt the recorder anywhere;
// it allocates nothing, takes no lock and makes no system call that can wait. But one: at the first sample of a thread
// that the recorder has not seen before its stack is looked up, for which the kernel waits while mappings change.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "instrument.h"

// Its options: "rate=1000;wall;source=perf" in any order. When it is prepared it chooses how to sample, says so in the
// trace (GP_SAMPLING), and begins with all threads that there are.
extern const gp_instrument gp_time_instrument;

// True while threads are sampled.
bool gp_sampler_is_on(void);

// The signal that asks for a sample; 0: there is none. No thread may block it, and nobody else may handle it.
int gp_sampler_signal(void);
