// A lock for what is done in moments and seldom. No signal handler may ask for it while its thread has it: threads are
// busy inside.
#ifndef GP_LOCK_H
#define GP_LOCK_H

#include <sched.h>
#include <stdatomic.h>

static inline void gp_lock_enter(atomic_flag *lock) {
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        sched_yield();
}

static inline void gp_lock_leave(atomic_flag *lock) {
    atomic_flag_clear_explicit(lock, memory_order_release);
}

#endif
