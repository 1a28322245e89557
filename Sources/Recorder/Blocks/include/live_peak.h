// The live bytes of all recorded blocks, and the moments when they have grown so far that the heap is worth another copy:
// the last such copy shows it near its highest.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "slow_path.h"
#include "thread.h"

// What a thread adds up by itself before the others see it.
enum { GP_LIVE_STEP = 16384 };

// Begins to watch: from now on gp_live_peak_is_due may become true, first at 64 KiB.
void gp_live_peak_watch(void);

// Ends that; no thread waits any longer.
void gp_live_peak_end(void);

// Whether live bytes have passed those of the last copy by a quarter, and no copy was made since.
bool gp_live_peak_is_due(void);

// A copy was made, or cannot be made: the next is due at a quarter more than live now. Threads should stand still.
void gp_live_peak_copied(void);

// Returns when a copy is due, after `nanoseconds` at the latest.
void gp_live_peak_wait(uint64_t nanoseconds);

// Adds what the thread has added up. Where that makes a copy due, waits for it, up to a tenth of a second.
GP_SLOW_PATH void gp_live_pass_on(gp_thread *thread);

// After a block was allocated or freed by a thread that is not busy. One whose block is on its way would not stop.
static inline void gp_live_changed(gp_thread *thread) {
    const bool is_much = (uint64_t)(thread->live_change + GP_LIVE_STEP) > 2 * GP_LIVE_STEP;
    if (__builtin_expect(is_much, 0) && !thread->hold_stop)
        gp_live_pass_on(thread);
}
