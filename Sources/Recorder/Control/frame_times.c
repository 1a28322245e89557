// Frame times for figures that leave the running process: counted by the copy of the recorder that the program links, also
// where nothing is recorded.
#include "Figures.h"

#include <stdatomic.h>
#include <string.h>

#include "read_clock.h"

#ifndef GP_PRELOADED

// Just above the usual rates of displays, so that what keeps to them lies below a bound: 144, 120, 90, 72, 60, 50, 30, 20 Hz.
const uint64_t gp_frame_time_bounds[GP_FRAME_TIME_BUCKETS] = {
    1000000,  2000000,  4000000,  5000000,  7200000,   8600000,   11500000,  14500000,  17500000,
    21000000, 25000000, 34500000, 51000000, 100000000, 200000000, 300000000, 500000000, 1000000000,
};

typedef struct {
    _Atomic uint32_t state;
    uint32_t length;
    const uint8_t *from;  // where its name was first seen
    char name[GP_FRAME_NAME_LONGEST + 1];
    _Atomic uint64_t last_ns, nanoseconds, longer;
    _Atomic uint64_t buckets[GP_FRAME_TIME_BUCKETS];
} loop;

enum { FREE, BEING_MADE, MADE };

volatile bool gp_frame_times_are_counted;
static loop loops[GP_FRAME_LOOPS_MOST];

void gp_frame_times_begin(void) {
    gp_frame_times_are_counted = true;
}

static bool is_named(const loop *one, const uint8_t *name, uint32_t length) {
    return one->from == name || (one->length == length && memcmp(one->name, name, length) == 0);
}

// NULL: there are too many loops, or this one is being made.
static loop *loop_of(const uint8_t *name, size_t whole) {
    const uint32_t length = whole < GP_FRAME_NAME_LONGEST ? (uint32_t)whole : GP_FRAME_NAME_LONGEST;
    for (uint32_t i = 0; i < GP_FRAME_LOOPS_MOST; i++) {
        loop *one = &loops[i];
        uint32_t state = atomic_load_explicit(&one->state, memory_order_acquire);
        if (state == MADE && is_named(one, name, length))
            return one;
        if (state == BEING_MADE)
            return NULL;
        if (state == FREE) {
            if (!atomic_compare_exchange_strong(&one->state, &state, BEING_MADE))
                return NULL;
            one->from = name;
            one->length = length;
            memcpy(one->name, name, length);
            atomic_store_explicit(&one->state, MADE, memory_order_release);
            return one;
        }
    }
    return NULL;
}

void gp_frame_times_count(const uint8_t *name, size_t length) {
    loop *one = name ? loop_of(name, length) : NULL;
    if (!one)
        return;
    const uint64_t now = gp_read_clock(CLOCK_MONOTONIC), last = atomic_exchange(&one->last_ns, now);
    if (last == 0 || now < last)
        return;
    const uint64_t lasted = now - last;
    uint32_t bucket = 0;
    while (bucket < GP_FRAME_TIME_BUCKETS && lasted > gp_frame_time_bounds[bucket])
        bucket++;
    atomic_fetch_add_explicit(&one->nanoseconds, lasted, memory_order_relaxed);
    atomic_fetch_add_explicit(bucket < GP_FRAME_TIME_BUCKETS ? &one->buckets[bucket] : &one->longer, 1,
                              memory_order_relaxed);
}

size_t gp_frame_times_read(gp_frame_times *list, size_t capacity) {
    size_t count = 0;
    for (uint32_t i = 0; i < GP_FRAME_LOOPS_MOST && count < capacity; i++) {
        const loop *one = &loops[i];
        if (atomic_load_explicit(&one->state, memory_order_acquire) != MADE)
            continue;
        gp_frame_times *into = &list[count++];
        *into = (gp_frame_times){.nanoseconds = atomic_load(&one->nanoseconds), .frames = atomic_load(&one->longer)};
        memcpy(into->name, one->name, sizeof into->name);
        for (uint32_t bucket = 0; bucket < GP_FRAME_TIME_BUCKETS; bucket++) {
            into->buckets[bucket] = atomic_load(&one->buckets[bucket]);
            into->frames += into->buckets[bucket];
        }
    }
    return count;
}

#endif
