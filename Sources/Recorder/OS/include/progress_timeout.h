// How long the frozen child of a heap snapshot has made no progress. Signals of the program's cut waits for it short, and a
// stopped process group waits for long: neither is the child's fault.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t last_ns;  // when it was looked at last
    uint64_t still_ns;
    uint32_t progress;
} gp_progress_timeout;

// Looks at the child's progress. True: there has been none for more than `limit_ns`. A single wait counts for no more than
// `wait_ns`.
static inline bool gp_progress_timed_out(gp_progress_timeout *patience, uint64_t now_ns, uint32_t progress,
                                         uint64_t wait_ns, uint64_t limit_ns) {
    uint64_t waited = now_ns - patience->last_ns;
    patience->still_ns =
        progress == patience->progress ? patience->still_ns + (waited < wait_ns ? waited : wait_ns) : 0;
    patience->last_ns = now_ns;
    patience->progress = progress;
    return patience->still_ns > limit_ns;
}

// Where a child counts its progress.
void gp_progress_watch(const _Atomic uint32_t *progress);

// Waits a millisecond for another thread of this process. False: nothing has moved on for 45 seconds. What this thread waits
// for may wait for this thread: a signal handler may have interrupted the loader, whose lock a snapshot needs. `patience`:
// begins as {0}.
bool gp_progress_wait(gp_progress_timeout *patience);
