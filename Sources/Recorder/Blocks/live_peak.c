#include "live_peak.h"

#include <linux/futex.h>
#include <limits.h>
#include <stdatomic.h>

#include "read_clock.h"
#include "system.h"

enum { FIRST_LIMIT = 65536, GROWTH_SHARE = 4, WAIT_MS = 100 };

static const int64_t NEVER = INT64_MAX;

static _Atomic int64_t live;  // without what threads have not passed on
static _Atomic int64_t limit = INT64_MAX;  // a copy is due where `live` passes it; NEVER: one is due, or none is wanted
static _Atomic uint32_t due;
static _Atomic uint32_t copies;  // counted up with each

static void wake(_Atomic uint32_t *word) {
    gp_system(futex, word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

static void wait_while(_Atomic uint32_t *word, uint32_t value, uint64_t nanoseconds) {
    const struct timespec time = gp_timespec(nanoseconds);
    gp_system(futex, word, FUTEX_WAIT_PRIVATE, value, &time);
}

void gp_live_peak_watch(void) {
    int64_t never = NEVER;
    atomic_compare_exchange_strong(&limit, &never, FIRST_LIMIT);
}

static void let_go(void) {
    atomic_store(&due, 0);
    atomic_fetch_add(&copies, 1);
    wake(&copies);
}

void gp_live_peak_end(void) {
    atomic_store(&limit, NEVER);
    let_go();
}

bool gp_live_peak_is_due(void) {
    return atomic_load(&due);
}

void gp_live_peak_copied(void) {
    int64_t sum = atomic_load(&live);
    for (const gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        sum += *(const volatile int64_t *)&thread->live_change;
    const int64_t next = sum + sum / GROWTH_SHARE;
    atomic_store(&limit, next > FIRST_LIMIT ? next : FIRST_LIMIT);
    let_go();
}

void gp_live_peak_wait(uint64_t nanoseconds) {
    wait_while(&due, 0, nanoseconds);
}

// The program's signals may end the wait early, and the one that stops threads does.
static void wait_for_copy(uint32_t before) {
    const uint64_t end = gp_monotonic_of_kernel() + WAIT_MS * (uint64_t)GP_MILLISECOND_NS;
    for (uint64_t now; atomic_load(&copies) == before && (now = gp_monotonic_of_kernel()) < end;)
        wait_while(&copies, before, end - now);
}

GP_SLOW_PATH void gp_live_pass_on(gp_thread *thread) {
    const int64_t change = thread->live_change;
    thread->live_change -= change;
    const int64_t sum = atomic_fetch_add(&live, change) + change;
    int64_t passed = atomic_load(&limit);
    const uint32_t before = atomic_load(&copies);
    if (sum < passed || !atomic_compare_exchange_strong(&limit, &passed, NEVER))
        return;
    atomic_store(&due, 1);
    wake(&due);
    wait_for_copy(before);
}
