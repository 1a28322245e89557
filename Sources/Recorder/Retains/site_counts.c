#include "site_counts.h"

#include <string.h>

#include "arena.h"
#include "stack_tree.h"
#include "trace_writer.h"

enum { FIRST_BITS = 6, MOST_BITS = 14 };  // of a thread's table, at most 1.1 MB

static void write_count(gp_thread *thread, gp_site_count *count) {
    gp_reference_counting record = {
        .header = {.kind = GP_REFERENCE_COUNTING, .flags = (uint8_t)(count->place >> GP_SITE_FLAGS_SHIFT)},
        .type = count->type,
        .stack = count->stack,
        .calls = count->calls,
        .changes = count->changes,
        .immortal = count->immortal,
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    count->calls = count->changes = count->immortal = 0;
}

// The counts may be another thread's, which counts on at a crash: its table is at least as large as `bits`, read before it, says.
void gp_site_counts_write(gp_thread *thread, gp_site_counts *sites, bool forgets) {
    const uint32_t bits = __atomic_load_n(&sites->bits, __ATOMIC_ACQUIRE);
    gp_site_count *const counts = __atomic_load_n(&sites->counts, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < 1u << bits; i++)
        if (counts[i].calls)
            write_count(thread, &counts[i]);
    if (!forgets)
        return;
    memset(counts, 0, sizeof *counts << bits);
    sites->used = 0;
    sites->generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
}

gp_site_counts *gp_site_counts_make(gp_thread *thread) {
    gp_site_counts *sites = gp_site_counts_of(thread);
    if (sites)
        return sites;
    sites = gp_arena_allocate(sizeof *sites);
    gp_site_count *counts = sites ? gp_arena_allocate(sizeof *counts << FIRST_BITS) : NULL;
    if (!counts)
        return NULL;
    *sites = (gp_site_counts){
        .counts = counts,
        .bits = FIRST_BITS,
        .generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire),
        .random = thread->id | 1,
    };
    // At a crash another thread follows it.
    __atomic_store_n(gp_thread_slot(thread, GP_INSTRUMENT_TIME), sites, __ATOMIC_RELEASE);
    return sites;
}

static gp_site_count *free_place(gp_site_count *counts, uint32_t bits, uint64_t place, uintptr_t metadata) {
    const uint64_t first = gp_site_first(place, metadata, bits);
    for (uint64_t i = 0; i < GP_SITE_PROBES; i++) {
        gp_site_count *count = &counts[(first + i) & ((1u << bits) - 1)];
        if (!count->place)
            return count;
    }
    return NULL;
}

// More room; false: there is none. Where a count finds no place in it, the room was not enough.
static bool grow(gp_site_counts *sites) {
    for (uint32_t bits = sites->bits + 1; bits <= MOST_BITS; bits++) {
        gp_site_count *larger = gp_arena_allocate(sizeof *larger << bits);
        bool fits = larger != NULL;
        for (uint32_t i = 0; i < 1u << sites->bits && fits; i++) {
            const gp_site_count *count = &sites->counts[i];
            gp_site_count *place = count->place ? free_place(larger, bits, count->place, count->metadata) : NULL;
            if (place)
                *place = *count;
            fits = place || !count->place;
        }
        if (fits) {
            __atomic_store_n(&sites->counts, larger, __ATOMIC_RELEASE);
            __atomic_store_n(&sites->bits, bits, __ATOMIC_RELEASE);
            return true;
        }
    }
    return false;
}

gp_site_count *gp_site_count_make(gp_thread *thread, gp_site_counts *sites, uint64_t place, uintptr_t metadata) {
    for (;;) {
        gp_site_count *count = free_place(sites->counts, sites->bits, place, metadata);
        if (count && sites->used <= 3u << sites->bits >> 2) {
            sites->used++;
            *count = (gp_site_count){.place = place, .metadata = metadata, .until_sample = 1, .gap = 1};
            return count;
        }
        if (!grow(sites))
            gp_site_counts_write(thread, sites, true);
    }
}
