#include "progress_timeout.h"

#include <stdatomic.h>
#include <stddef.h>

#include "read_clock.h"

static const uint64_t LOOK_MOST_NS = 20000000, PATIENCE_NS = 45ull * GP_SECOND_NS;

static const _Atomic uint32_t *watched;

void gp_progress_watch(const _Atomic uint32_t *progress) {
    watched = progress;
}

bool gp_progress_wait(gp_progress_timeout *patience) {
    const uint32_t progress = watched ? atomic_load(watched) : 0;
    if (patience->last_ns == 0)
        *patience = (gp_progress_timeout){.last_ns = gp_monotonic_of_kernel(), .progress = progress};
    gp_sleep(GP_MILLISECOND_NS);
    return !gp_progress_timed_out(patience, gp_monotonic_of_kernel(), progress, LOOK_MOST_NS, PATIENCE_NS);
}
