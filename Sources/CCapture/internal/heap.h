// The heap snapshot: stop the threads, freeze the heap in a cloned child, classify, mark, count, label, write.
#ifndef GP_HEAP_H
#define GP_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct gp_thread;

// Prepares what a snapshot needs (signal handler for stopping threads). Called once when recording starts.
void gp_heap_prepare(void);

// Takes a snapshot and waits for its analysis; first for one that another thread is taking. `flags`:
// GP_HEAP_AT_EXIT or GP_HEAP_ON_REQUEST. False: no child process could be made.
bool gp_heap_snapshot(struct gp_thread *thread, uint8_t flags, const char *name);

// The signal that stops threads for a snapshot: no thread may block it (pthread_sigmask is interposed for that).
int gp_heap_stop_signal(void);

#endif
