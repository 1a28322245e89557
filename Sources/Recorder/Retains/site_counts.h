// What each thread counts of its retains and releases, by call and type. Nobody else writes there, so that a change costs no
// atomic addition. What was counted becomes a GP_REFERENCE_COUNTING at intervals that grow with the run (an eighth of it), when
// the table is full, and when the recording ends.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "thread.h"

enum { GP_SITE_PROBES = 16, GP_SITE_FLAGS_SHIFT = 56 };

// Calls at one return address, or those that one sampled stack stands for.
typedef struct {
    uint64_t place;  // return address, or id of the sampled stack; above GP_SITE_FLAGS_SHIFT its GP_COUNTING_*. 0: free
    uintptr_t metadata;
    uint64_t calls, changes, immortal;
    uint32_t stack, type;
    uint32_t until_sample;  // calls, the sampled one included
    uint32_t gap;  // what that was after the last sample
    uint32_t samples;
} gp_site_count;

// The slot of a thread.
typedef struct {
    gp_site_count *counts;
    uint32_t bits, used;
    uint32_t generation;  // of the image list, which return addresses are those of
    uint32_t random;
    uint64_t due_ns;
} gp_site_counts;

static inline uint64_t gp_site_first(uint64_t place, uintptr_t metadata, uint32_t bits) {
    return (place ^ metadata << 13) * 0x9e3779b97f4a7c15ull >> (64 - bits);
}

// NULL: it is not counted yet.
static inline gp_site_count *gp_site_count_find(const gp_site_counts *sites, uint64_t place, uintptr_t metadata) {
    const uint64_t first = gp_site_first(place, metadata, sites->bits), mask = ((uint64_t)1 << sites->bits) - 1;
    for (uint64_t i = 0; i < GP_SITE_PROBES; i++) {
        gp_site_count *count = &sites->counts[(first + i) & mask];
        if (count->place == place && count->metadata == metadata)
            return count;
        if (!count->place)
            return NULL;
    }
    return NULL;
}

// The thread's counts. NULL: none yet.
static inline gp_site_counts *gp_site_counts_of(gp_thread *thread) {
    return *gp_thread_slot(thread, GP_INSTRUMENT_TIME);
}

// The same, made where there are none. NULL: there is no memory.
gp_site_counts *gp_site_counts_make(gp_thread *thread);

// Makes one that is not counted yet; others may move. Where there is no more memory, what was counted is written to make room.
gp_site_count *gp_site_count_make(gp_thread *thread, gp_site_counts *sites, uint64_t place, uintptr_t metadata);

// Writes what was counted. `forgets`: return addresses may lead to other code from now on, or there is no room.
void gp_site_counts_write(gp_thread *thread, gp_site_counts *sites, bool forgets);
