// The heap snapshot: stop the threads, freeze the heap in a cloned child, classify, mark, count, label, write.
#ifndef GP_HEAP_H
#define GP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CCapture.h"
#include "stack.h"

struct gp_thread;

// Prepares what a snapshot needs (signal handler for stopping threads). Called once when recording starts.
void gp_heap_prepare(void);

// No snapshots will be taken: no signal is needed.
void gp_heap_do_without(void);

// Takes a snapshot and waits for its analysis; first for one that another thread is taking. `flags`:
// GP_HEAP_AT_EXIT or GP_HEAP_ON_REQUEST. False: none could be taken, and the trace says why.
bool gp_heap_snapshot(struct gp_thread *thread, uint8_t flags, const char *name);

// An object whose way from a root a snapshot is to tell.
typedef struct {
    uintptr_t hidden;  // complement of its address: the question itself must not be what shows it
    const char *label;  // what the caller calls it, may be NULL
} gp_path_target;

// The same; the snapshot also says of each of `objects` what keeps it alive (GP_HEAP_TARGET, GP_TARGET_ADDRESS), or that
// it is no more. Costs 12 bytes for each live block and one more walk over the heap, in the child.
bool gp_heap_snapshot_paths(struct gp_thread *thread, uint8_t flags, const char *name, const gp_path_target *objects,
                            size_t count);

// How long the calling thread has waited for one that takes a snapshot; begins as {0}.
typedef struct {
    uint32_t progress, looks;
} gp_heap_patience;

// Waits a millisecond. False: nothing has moved on for 45 seconds. What this thread waits for may wait for this thread: a
// signal handler may have interrupted the loader, whose lock a snapshot needs.
bool gp_heap_wait_on(gp_heap_patience *patience);

// What the last snapshot found lost.
gp_lost gp_heap_last_lost(void);

// Every snapshot from now on says what keeps the objects of these types alive (GP_TARGET_TYPE). `types`: patterns, one a
// line, in memory that stays.
void gp_heap_ask_why(const char *types);

// The main thread is about to end by pthread_exit, which `caller` calls: keeps a copy of its stack and registers for the
// snapshots to come, since its functions never give up what they hold. Does nothing in another thread.
void gp_heap_keep_left_stack(gp_registers caller);

// The signal that stops threads for a snapshot: no thread may block it (pthread_sigmask is interposed for that). Before
// gp_heap_prepare the one that it will be unless the program handles it. 0: no snapshots are taken.
int gp_heap_stop_signal(void);

// Sends it to a thread of this process. Negative: the thread is gone, or the kernel has no room. Async-signal-safe.
long gp_heap_send_stop(uint32_t thread);

#endif
