// The heap snapshot: stop the threads, freeze the heap in a cloned child, classify, mark, count, label, write.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "progress_timeout.h"
#include "CCapture.h"
#include "instrument.h"
#include "stack.h"

struct gp_thread;

// Its options: patterns of types, one a line, in memory that stays. Every snapshot says what keeps the objects of these
// types alive (GP_TARGET_TYPE).
extern const gp_instrument gp_leaks_instrument;

// The snapshot at exit holds the graph of all live blocks where that is small, or where many objects live through closures.
extern const gp_instrument gp_abandoned_instrument;

// Every snapshot holds the graph of all live blocks (GP_HEAP_NODES).
extern const gp_instrument gp_heap_instrument;

// Takes a snapshot and waits for its analysis; first for one that another thread is taking. `flags`:
// GP_HEAP_*; one at the peak is given up as soon as a higher one is due. False: none could be taken, and the trace says why. It also says what keeps
// objects alive that were to be deallocated (GP_TARGET_ADDRESS): 12 bytes for each live block and one more walk over the
// heap, in the child.
bool gp_heap_snapshot(struct gp_thread *thread, uint8_t flags, const char *name);

// How long the calling thread has waited for one that takes a snapshot; begins as {0}.
typedef gp_progress_timeout gp_heap_timeout;

// Waits a millisecond. False: nothing has moved on for 45 seconds. What this thread waits for may wait for this thread: a
// signal handler may have interrupted the loader, whose lock a snapshot needs.
bool gp_heap_wait_on(gp_heap_timeout *patience);

// What the last snapshot found lost.
gp_lost gp_heap_last_lost(void);

// The main thread is about to end by pthread_exit, which `caller` calls: keeps a copy of its stack and registers for the
// snapshots to come, since its functions never give up what they hold. Does nothing in another thread.
void gp_heap_keep_exited_main_stack(gp_registers caller);
