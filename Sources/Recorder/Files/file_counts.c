#include "file_counts.h"

#include <time.h>

#include "arch.h"
#include "files.h"
#include "read_clock.h"
#include "spool.h"
#include "trace_writer.h"

enum { GP_WRITE_SHARE = 64 };  // of the run: at most so much of it is lost with a program that is killed

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

static void write_tally(gp_thread *thread, void *entry) {
    gp_file_tally *tally = entry;
    if (!tally->calls)
        return;
    const uint64_t key = tally->key.first;
    const double ns = tick_ns();
    gp_file_use record = {
        .header = {.kind = GP_FILE_USE, .flags = (uint8_t)(key >> 61)},
        .file = (uint32_t)(key >> 32) & 0x1fffffff,
        .stack = (uint32_t)key,
        .calls = tally->calls,
        .failures = tally->failures,
        .exhausted = tally->exhausted,
        .bytes = key >> 61 == GP_FILE_CLOSED ? (uint64_t)((double)tally->bytes * ns) : tally->bytes,
        .ns = (uint64_t)((double)tally->ticks * ns),
        .longest_ns = (uint64_t)((double)tally->longest * ns),
        .time_ns = gp_now_ns(),
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    *tally = (gp_file_tally){.key = tally->key};
}

GP_SLOW_PATH void gp_file_counts_write_due(gp_thread *thread, uint64_t now) {
    gp_file_counts *counts = *gp_thread_slot(thread, GP_INSTRUMENT_FILES);
    if (counts->due)
        gp_table_each(thread, &counts->table, write_tally);
    const uint64_t share = (now - start.ticks) / GP_WRITE_SHARE;
    counts->due = now + (share > GP_WRITE_REST ? share : GP_WRITE_REST);
}

gp_file_tally *gp_file_tally_find(gp_thread *thread, uint64_t key) {
    gp_file_counts *counts = gp_table_of(thread, GP_INSTRUMENT_FILES, sizeof *counts, sizeof(gp_file_tally));
    if (!counts) {
        gp_spool_drop(1);
        return NULL;
    }
    while (!(counts->last = gp_table_make(&counts->table, (gp_table_key){key, 0}))) {
        gp_table_each(thread, &counts->table, write_tally);
        gp_table_clear(&counts->table);
    }
    return counts->last;
}

void gp_file_counts_flush(gp_thread *thread) {
    gp_tables_each(thread, GP_INSTRUMENT_FILES, write_tally);
}
