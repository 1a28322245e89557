// What each thread counts of its retains and releases, by call and type. What was counted becomes a GP_REFERENCE_COUNTING at
// intervals that grow with the run (an eighth of it), when the table is full, and when the recording ends.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "thread_table.h"

enum { GP_SITE_FLAGS_SHIFT = 56 };

// Calls at one return address, or those that one sampled stack stands for.
typedef struct {
    // Return address, or id of the sampled stack, above GP_SITE_FLAGS_SHIFT its GP_COUNTING_*; and the metadata.
    gp_table_key key;
    uint64_t calls, changes, immortal;
    uint32_t stack, type;
    uint32_t until_sample;  // calls, the sampled one included
    uint32_t gap;  // what that was after the last sample
    uint32_t samples;
} gp_site_count;

// The slot of a thread.
typedef struct {
    gp_thread_table table;
    uint32_t generation;  // of the image list, which return addresses are those of
    uint32_t random;
    uint64_t due_ns;
} gp_site_counts;

// NULL: it is not counted yet.
static inline gp_site_count *gp_site_count_find(const gp_site_counts *sites, gp_table_key key) {
    return gp_table_find(&sites->table, sizeof(gp_site_count), key);
}

// The thread's counts. NULL: none yet.
static inline gp_site_counts *gp_site_counts_of(gp_thread *thread) {
    return *gp_thread_slot(thread, GP_INSTRUMENT_TIME);
}

// The same, made where there are none. NULL: there is no memory.
gp_site_counts *gp_site_counts_make(gp_thread *thread);

// Makes one that is not counted yet; others may move. Where there is no more memory, what was counted is written to make room.
gp_site_count *gp_site_count_make(gp_thread *thread, gp_site_counts *sites, gp_table_key key);

// Writes what was counted, and forgets it: return addresses may lead to other code from now on, or there is no room.
void gp_site_counts_forget(gp_thread *thread, gp_site_counts *sites);

// Writes what a gp_site_count counted.
gp_table_visit gp_site_count_write;
