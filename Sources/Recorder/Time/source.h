// What asks for samples here: perf events or CPU timers, and by which signal. Chosen once, when sampling starts.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct gp_thread;

// What is asked of the sampler.

typedef struct {
    uint64_t period_ns;  // of CPU time
    bool waits;  // look at waiting threads too
    enum { GP_SOURCE_ANY, GP_SOURCE_PERF, GP_SOURCE_SIGNAL, GP_SOURCE_TIMER } source;
} gp_sampler_options;

// Words divided by semicolons: rate=N (samples a second, 1 to 10000), wall, source=perf, source=signal (a perf
// event, but no trap), source=timer. What is not understood is passed over.
gp_sampler_options gp_sampler_options_parse(const char *text);

// Takes the best that the kernel permits of what `options` ask for, has its signal handled, and says so in the trace
// (GP_SAMPLING).
void gp_source_choose(struct gp_thread *thread, const gp_sampler_options *options);

// Whether threads are given perf events; else CPU timers.
bool gp_source_is_perf(void);

// What passes in the kernel, where perf events take no samples: how many periods the signal of a CPU timer stands for that is
// given to each thread besides its event. 0: it is given none.
uint16_t gp_source_kernel_periods(void);

// The CPU time between two samples of a thread, in nanoseconds.
uint64_t gp_source_period(void);

// A thread was refused its perf event, with a negative errno: it and others from here on are sampled less finely. Said
// once.
void gp_source_tell_refusal(int error);

// A thread of the recorder's that looks at the waiting threads of the program, again and again, without disturbing
// them: what the kernel says under /proc is enough.

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
