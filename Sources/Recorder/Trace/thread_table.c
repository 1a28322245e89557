#include "thread_table.h"

#include <stdbool.h>
#include <string.h>

#include "arena.h"

enum { FIRST_BITS = 6, MOST_BITS = 14 };  // at most about a megabyte for each thread

void *gp_table_of(gp_thread *thread, uint32_t instrument, size_t size, uint32_t stride) {
    void **slot = gp_thread_slot(thread, instrument);
    if (*slot)
        return *slot;
    gp_thread_table *table = gp_arena_allocate(size);
    void *entries = table ? gp_arena_allocate((size_t)stride << FIRST_BITS) : NULL;
    if (!entries)
        return NULL;
    *table = (gp_thread_table){.entries = entries, .stride = stride, .bits = FIRST_BITS};
    // At a crash another thread follows it.
    __atomic_store_n(slot, table, __ATOMIC_RELEASE);
    return table;
}

// More room; false: there is none. Where an entry finds no place in it, the room was not enough.
static bool grow(gp_thread_table *table) {
    for (uint32_t bits = table->bits + 1; bits <= MOST_BITS; bits++) {
        char *const larger = gp_arena_allocate((size_t)table->stride << bits);
        bool fits = larger != NULL;
        for (uint32_t i = 0; i < 1u << table->bits && fits; i++) {
            const gp_table_key *entry = (gp_table_key *)((char *)table->entries + (size_t)i * table->stride);
            gp_table_key *place = entry->first ? gp_table_place(larger, table->stride, bits, *entry) : NULL;
            if (place)
                memcpy(place, entry, table->stride);
            fits = place || !entry->first;
        }
        if (fits) {
            __atomic_store_n(&table->entries, larger, __ATOMIC_RELEASE);
            __atomic_store_n(&table->bits, bits, __ATOMIC_RELEASE);
            return true;
        }
    }
    return false;
}

void *gp_table_make(gp_thread_table *table, gp_table_key key) {
    do {
        gp_table_key *place = gp_table_place(table->entries, table->stride, table->bits, key);
        if (place && (place->first || table->used <= 3u << table->bits >> 2)) {
            table->used += !place->first;
            *place = key;
            return place;
        }
    } while (grow(table));
    return NULL;
}

void gp_table_clear(gp_thread_table *table) {
    memset(table->entries, 0, (size_t)table->stride << table->bits);
    table->used = 0;
}

// A table of another thread is at least as large as `bits`, read before it, says.
void gp_table_each(gp_thread *writing, const gp_thread_table *table, gp_table_visit *visit) {
    const uint32_t bits = __atomic_load_n(&table->bits, __ATOMIC_ACQUIRE);
    char *entry = __atomic_load_n(&table->entries, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < 1u << bits; i++, entry += table->stride)
        visit(writing, entry);
}

void gp_tables_each(gp_thread *writing, uint32_t instrument, gp_table_visit *visit) {
    for (gp_thread *other = gp_thread_first(); other; other = other->next) {
        const gp_thread_table *table = __atomic_load_n(gp_thread_slot(other, instrument), __ATOMIC_ACQUIRE);
        if (table)
            gp_table_each(writing, table, visit);
    }
}
