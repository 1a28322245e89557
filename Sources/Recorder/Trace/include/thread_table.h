// What a thread counts by a key, in its slot of an instrument: a table that grows. Nobody else writes there, so that a count costs no
// atomic addition; another thread may read it at a crash, while its owner counts on.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "thread.h"

enum { GP_TABLE_PROBES = 16 };

typedef struct {
    uint64_t first, second;  // first 0: the place is free
} gp_table_key;

// What a slot begins with.
typedef struct {
    void *entries;  // each begins with its key
    uint32_t stride, bits, used;
} gp_thread_table;

// Where the key is or may be made; NULL: all places that it may have are other keys'.
static inline gp_table_key *gp_table_place(void *entries, size_t stride, uint32_t bits, gp_table_key key) {
    const uint64_t first = (key.first ^ key.second << 13) * 0x9e3779b97f4a7c15ull >> (64 - bits);
    for (uint64_t i = 0; i < GP_TABLE_PROBES; i++) {
        gp_table_key *place = (gp_table_key *)((char *)entries + ((first + i) & ((1u << bits) - 1)) * stride);
        if ((place->first == key.first && place->second == key.second) || !place->first)
            return place;
    }
    return NULL;
}

// The entry; NULL: there is none yet. `stride`: the table's, as a constant.
static inline void *gp_table_find(const gp_thread_table *table, size_t stride, gp_table_key key) {
    gp_table_key *place = gp_table_place(table->entries, stride, table->bits, key);
    return place && place->first ? place : NULL;
}

// The thread's slot of `size` zeroed bytes that begin with its table, made where there is none. NULL: there is no memory.
void *gp_table_of(gp_thread *thread, uint32_t instrument, size_t size, uint32_t stride);

// The entry, made where there is none; others may move. NULL: there is no more room, the table is to be written and cleared.
void *gp_table_make(gp_thread_table *table, gp_table_key key);

void gp_table_clear(gp_thread_table *table);

typedef void gp_table_visit(gp_thread *writing, void *entry);

// Calls `visit` with each entry.
void gp_table_each(gp_thread *writing, const gp_thread_table *table, gp_table_visit *visit);

// The same with the tables of all threads.
void gp_tables_each(gp_thread *writing, uint32_t instrument, gp_table_visit *visit);
