// A thread of the recorder's that looks at the waiting threads of the program, again and again, without disturbing
// them: what the kernel says under /proc is enough.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// How often waiting threads are looked at.
#define GP_OBSERVER_PERIOD_NS 10000000ull

// Begins to look. False: threads cannot be made, or the kernel does not tell.
bool gp_wall_sampler_start(void);

// Ends it and waits for its last look.
void gp_wall_sampler_stop(void);

// The wall_sampler's thread id, 0: there is none.
uint32_t gp_wall_sampler_thread(void);

// Writes what is in memory. False: some of it could not be stored.
bool gp_wall_sampler_flush(void);
