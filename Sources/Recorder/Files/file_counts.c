#include "file_counts.h"

#include <string.h>
#include <time.h>

#include "arch.h"
#include "arena.h"
#include "files.h"
#include "read_clock.h"
#include "spool.h"
#include "trace_writer.h"

enum {
    GP_COUNTS_FIRST_BITS = 6,
    GP_COUNTS_MOST_BITS = 14,  // 1 MiB for each thread; what finds no place then is written at once
    GP_COUNT_PROBES = 16,
    GP_WRITE_SHARE = 64,  // of the run: at most so much of it is lost with a program that is killed
};

// Some milliseconds, whatever a tick is.
static const uint64_t GP_WRITE_REST = 1 << 24;

bool gp_file_reads_ticks;

static struct {
    uint64_t ticks, ns;  // when recording began
} start;

uint64_t gp_file_slow_ticks(void) {
    return gp_read_clock(CLOCK_MONOTONIC);
}

void gp_file_clock_start(void) {
    gp_file_reads_ticks = gp_ticks_are_steady();
    start.ticks = gp_file_ticks();
    start.ns = gp_now_ns();
}

// Nanoseconds of a tick, by the time since recording began.
static double tick_ns(void) {
    const uint64_t ticks = gp_file_ticks() - start.ticks, ns = gp_now_ns() - start.ns;
    return !gp_file_reads_ticks || !ticks ? 1 : (double)ns / (double)ticks;
}

uint64_t gp_file_moment(uint64_t ticks) {
    return ticks <= start.ticks ? 0 : start.ns + (uint64_t)((double)(ticks - start.ticks) * tick_ns());
}

static void write_tally(gp_thread *thread, gp_file_tally *tally, double ns) {
    gp_file_use record = {
        .header = {.kind = GP_FILE_USE, .flags = (uint8_t)(tally->key >> 61)},
        .file = (uint32_t)(tally->key >> 32) & 0x1fffffff,
        .stack = (uint32_t)tally->key,
        .calls = tally->calls,
        .failures = tally->failures,
        .exhausted = tally->exhausted,
        .bytes = tally->bytes,
        .ns = (uint64_t)((double)tally->ticks * ns),
        .longest_ns = (uint64_t)((double)tally->longest * ns),
        .time_ns = gp_now_ns(),
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    *tally = (gp_file_tally){.key = tally->key};
}

// The counts may be another thread's, which counts on at a crash: its table is at least as large as `bits`, read before it, says.
static void write_counts(gp_thread *thread, gp_file_counts *counts) {
    const double ns = tick_ns();
    const uint32_t bits = __atomic_load_n(&counts->bits, __ATOMIC_ACQUIRE);
    gp_file_tally *const tallies = __atomic_load_n(&counts->tallies, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < 1u << bits; i++)
        if (tallies[i].calls)
            write_tally(thread, &tallies[i], ns);
}

GP_SLOW_PATH void gp_file_counts_write_due(gp_thread *thread, uint64_t now) {
    gp_file_counts *counts = *gp_thread_slot(thread, GP_INSTRUMENT_FILES);
    if (counts->due)
        write_counts(thread, counts);
    const uint64_t share = (now - start.ticks) / GP_WRITE_SHARE;
    counts->due = now + (share > GP_WRITE_REST ? share : GP_WRITE_REST);
}

static gp_file_tally *place_in(gp_file_tally *tallies, uint32_t bits, uint64_t key) {
    const uint64_t first = key * 0x9e3779b97f4a7c15ull >> (64 - bits);
    for (uint64_t i = 0; i < GP_COUNT_PROBES; i++) {
        gp_file_tally *tally = &tallies[(first + i) & ((1u << bits) - 1)];
        if (tally->key == key || !tally->key)
            return tally;
    }
    return NULL;
}

// Twice the room; false: there is none. Where a tally finds no place in it, the room was not enough.
static bool grow(gp_file_counts *counts) {
    for (uint32_t bits = counts->bits + 1; bits <= GP_COUNTS_MOST_BITS; bits++) {
        gp_file_tally *larger = gp_arena_allocate(sizeof *larger << bits);
        bool fits = larger != NULL;
        for (uint32_t i = 0; i < 1u << counts->bits && fits; i++) {
            const gp_file_tally *tally = &counts->tallies[i];
            gp_file_tally *place = tally->key ? place_in(larger, bits, tally->key) : NULL;
            if (place)
                *place = *tally;
            fits = place || !tally->key;
        }
        if (fits) {
            __atomic_store_n(&counts->tallies, larger, __ATOMIC_RELEASE);
            __atomic_store_n(&counts->bits, bits, __ATOMIC_RELEASE);
            return true;
        }
    }
    return false;
}

static gp_file_tally *find_or_make(gp_thread *thread, gp_file_counts *counts, uint64_t key) {
    for (;;) {
        gp_file_tally *tally = place_in(counts->tallies, counts->bits, key);
        const bool is_crowded = counts->used > 3u << counts->bits >> 2;
        if (tally && (tally->key || !is_crowded)) {
            counts->used += !tally->key;
            tally->key = key;
            return tally;
        }
        if (grow(counts))
            continue;
        // The first of those in the way gives up its place.
        tally = tally ? tally : &counts->tallies[key * 0x9e3779b97f4a7c15ull >> (64 - counts->bits)];
        if (tally->calls)
            write_tally(thread, tally, tick_ns());
        counts->used += !tally->key;
        *tally = (gp_file_tally){.key = key};
        return tally;
    }
}

static gp_file_counts *make(gp_thread *thread) {
    gp_file_counts *counts = gp_arena_allocate(sizeof *counts);
    gp_file_tally *tallies = counts ? gp_arena_allocate(sizeof *tallies << GP_COUNTS_FIRST_BITS) : NULL;
    if (!tallies)
        return NULL;
    *counts = (gp_file_counts){.bits = GP_COUNTS_FIRST_BITS, .tallies = tallies, .last = tallies};
    // At a crash another thread follows it.
    __atomic_store_n(gp_thread_slot(thread, GP_INSTRUMENT_FILES), counts, __ATOMIC_RELEASE);
    return counts;
}

gp_file_tally *gp_file_tally_find(gp_thread *thread, uint64_t key) {
    gp_file_counts *counts = *gp_thread_slot(thread, GP_INSTRUMENT_FILES);
    if (!counts && !(counts = make(thread))) {
        gp_spool_drop(1);
        return NULL;
    }
    gp_file_tally *tally = place_in(counts->tallies, counts->bits, key);
    if (!tally || tally->key != key)
        tally = find_or_make(thread, counts, key);
    counts->last = tally;
    return tally;
}

void gp_file_counts_flush(gp_thread *thread) {
    for (gp_thread *other = gp_thread_first(); other; other = other->next) {
        gp_file_counts *counts = __atomic_load_n(gp_thread_slot(other, GP_INSTRUMENT_FILES), __ATOMIC_ACQUIRE);
        if (counts)
            write_counts(thread, counts);
    }
}
