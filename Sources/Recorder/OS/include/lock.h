// A lock for what is done in moments and seldom. Whoever waits looks a few times and then sleeps, so that a thread whose
// priority is above the holder's lets it run. No signal handler may ask for it while its thread has it: threads are
// busy inside. A child made by fork may find it held by a thread that it does not have: it records nothing, and asks for
// none that does not lie in memory that the kernel wipes.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "slow_path.h"

typedef struct {
    _Atomic uint32_t state;  // GP_LOCK_*
} gp_lock;

enum { GP_LOCK_FREE = 0, GP_LOCK_HELD = 1, GP_LOCK_AWAITED = 2 };

// Async-signal-safe. `patience_ns`: how long to wait, 0: for ever. False: that time is over.
GP_SLOW_PATH bool gp_lock_wait(gp_lock *lock, uint64_t patience_ns);
GP_SLOW_PATH void gp_lock_wake(gp_lock *lock);

// Between two looks at what another thread will soon have done: the first looks follow each other at once, and later ones
// after a sleep. Async-signal-safe. `looks`: how many there have been.
GP_SLOW_PATH void gp_lock_rest(unsigned looks);

static inline bool gp_lock_try(gp_lock *lock) {
    uint32_t free = GP_LOCK_FREE;
    return atomic_compare_exchange_strong_explicit(&lock->state, &free, GP_LOCK_HELD, memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline void gp_lock_enter(gp_lock *lock) {
    if (!gp_lock_try(lock))
        (void)gp_lock_wait(lock, 0);
}

static inline void gp_lock_leave(gp_lock *lock) {
    if (atomic_exchange_explicit(&lock->state, GP_LOCK_FREE, memory_order_release) == GP_LOCK_AWAITED)
        gp_lock_wake(lock);
}
