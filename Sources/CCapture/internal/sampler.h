// The sampling profiler: a signal to each thread after every period of its CPU time, whose handler writes the stack.
// The handler has a writer and a stack memo of its own for each thread, so that it may interrupt the recorder anywhere;
// it allocates nothing, takes no lock and makes no system call that can wait. But one: at the first sample of a thread
// that the recorder has not seen before its stack is looked up, for which the kernel waits while mappings change.
#ifndef GP_SAMPLER_H
#define GP_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

struct gp_thread;

// Chooses how to sample, says so in the trace (GP_SAMPLING), and begins with all threads that there are. `options`:
// "rate=1000;wall;source=perf" in any order, NULL: as usual. Call once, when the C library is ready.
void gp_sampler_start(struct gp_thread *thread, const char *options);

// Samples the calling thread from now on, until it ends.
void gp_sampler_thread_begins(void);

// The calling thread is about to end.
void gp_sampler_thread_ends(void);

// Ends sampling, waits for handlers that still run, writes what the threads used in all.
void gp_sampler_finish(void);

// Writes what is in memory. False: some of it could not be stored.
bool gp_sampler_flush(void);

// True between gp_sampler_start and gp_sampler_finish.
bool gp_sampler_is_on(void);

// The signal that asks for a sample; 0: there is none. No thread may block it, and nobody else may handle it.
int gp_sampler_signal(void);

#endif
