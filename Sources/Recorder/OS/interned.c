#include "interned.h"

#include <stdatomic.h>
#include <string.h>

#include "arena.h"

enum { TRIES = 64 };

static gp_interned *make(gp_intern_table *table, uint32_t kind, const void *text, size_t length) {
    gp_interned *made = atomic_load(&table->count) < table->most ? gp_arena_allocate(sizeof *made + length + 1) : NULL;
    const uint32_t number = made ? atomic_fetch_add(&table->count, 1) + 1 : 0;
    if (!made || number > table->most)
        return NULL;
    *made = (gp_interned){number, kind, length};
    memcpy(made->text, text, length);
    return made;
}

const gp_interned *gp_intern(gp_intern_table *table, uint32_t kind, const void *text, size_t length, bool *is_new) {
    uint64_t hash = 0xcbf29ce484222325ull ^ kind;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const uint8_t *)text)[i]) * 0x100000001b3ull;
    gp_interned *fresh = NULL;
    *is_new = false;
    for (uint64_t i = 0, place = hash * 0x9e3779b97f4a7c15ull >> 32; i < TRIES; i++, place++) {
        _Atomic(gp_interned *) *at = &table->places[place % table->place_count];
        gp_interned *there = atomic_load_explicit(at, memory_order_acquire);
        if (!there && !fresh && !(fresh = make(table, kind, text, length)))
            return NULL;
        if (!there && (*is_new = atomic_compare_exchange_strong(at, &there, fresh)))
            return fresh;
        if (there->kind == kind && there->length == length && memcmp(there->text, text, length) == 0)
            return there;
    }
    return NULL;
}
