#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "arch.h"
#include "read_clock.h"
#include "system.h"

enum { LOOKS = 100, REST_NS = 100000 };

void gp_lock_rest(unsigned looks) {
    if (looks < LOOKS)
        gp_pause();
    else
        gp_sleep(REST_NS);
}

bool gp_lock_wait(gp_lock *lock, uint64_t patience_ns) {
    for (unsigned looks = 0; looks < LOOKS; looks++) {
        if (gp_lock_try(lock))
            return true;
        gp_lock_rest(looks);
    }
    const struct timespec end = gp_timespec(gp_monotonic_of_kernel() + patience_ns);
    // Others may wait as well: whoever gets the lock after a wait leaves it as awaited.
    while (atomic_exchange_explicit(&lock->state, GP_LOCK_AWAITED, memory_order_acquire) != GP_LOCK_FREE)
        if (gp_system(futex, &lock->state, FUTEX_WAIT_BITSET_PRIVATE, GP_LOCK_AWAITED, patience_ns ? &end : NULL, NULL,
                      FUTEX_BITSET_MATCH_ANY) == -ETIMEDOUT)
            return false;
    return true;
}

void gp_lock_wake(gp_lock *lock) {
    gp_system(futex, &lock->state, FUTEX_WAKE_PRIVATE, 1);
}
