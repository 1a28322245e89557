// What each thread counts of its calls, by file, stack and operation. What was counted becomes a GP_FILE_USE at intervals that grow
// with the run (a 64th of it), when the table is full, and when the recording ends.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "slow_path.h"
#include "thread_table.h"

// What one call adds.
typedef struct {
    uint32_t file, stack;
    uint8_t operation;  // GP_FILE_OPENED …
    bool failed, exhausted;
    uint64_t bytes;  // of a closed descriptor: the ticks for which it was open
    uint64_t began, ended;  // ticks
} gp_file_addition;

typedef struct {
    gp_table_key key;  // its second word is 0
    uint64_t calls, bytes, ticks, longest;
    uint32_t failures, exhausted;
} gp_file_tally;

// The slot of a thread.
typedef struct {
    gp_thread_table table;
    uint64_t due;  // ticks
    gp_file_tally *last;
} gp_file_counts;

// Operation (3 bits), file (29), stack (32). No file is 0.
static inline uint64_t gp_file_key(const gp_file_addition *addition) {
    return (uint64_t)addition->operation << 61 | (uint64_t)addition->file << 32 | addition->stack;
}

// Of another key than the last one's. NULL: there is no memory, the call is counted as lost.
gp_file_tally *gp_file_tally_find(gp_thread *thread, uint64_t key);

// Writes the thread's counts, unless they are the first.
GP_SLOW_PATH void gp_file_counts_write_due(gp_thread *thread, uint64_t now);

static inline void gp_file_count(gp_thread *thread, const gp_file_addition *addition) {
    const gp_file_counts *counts = *gp_thread_slot(thread, GP_INSTRUMENT_FILES);
    const uint64_t key = gp_file_key(addition), ticks = addition->ended - addition->began;
    gp_file_tally *tally =
        GP_LIKELY(counts && counts->last->key.first == key) ? counts->last : gp_file_tally_find(thread, key);
    if (GP_UNLIKELY(!tally))
        return;
    tally->calls++;
    tally->bytes += addition->bytes;
    tally->ticks += ticks;
    if (ticks > tally->longest)
        tally->longest = ticks;
    tally->failures += addition->failed;
    tally->exhausted += addition->exhausted;
    counts = *gp_thread_slot(thread, GP_INSTRUMENT_FILES);
    if (GP_UNLIKELY(addition->ended >= counts->due))
        gp_file_counts_write_due(thread, addition->ended);
}

// Writes what all threads counted. They count no more, but at a crash.
void gp_file_counts_flush(gp_thread *thread);

// The clock of the instrument.

void gp_file_clock_start(void);

// Nanoseconds since recording began, of a moment in ticks; 0 stays 0.
uint64_t gp_file_moment(uint64_t ticks);
