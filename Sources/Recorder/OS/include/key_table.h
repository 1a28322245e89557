// A lock-free hash table of fixed size: entries of any type that begin with their key, a word of which 0 means that the place
// is free. A key is set once and never removed; what stands behind it is the owner's to publish. It needs neither malloc nor
// a lock, so that it serves signal handlers, the frozen child and memory that this shares with the recorded process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GP_KEY_PROBES = 128 };  // places in which a key may stand

typedef struct {
    void *entries;  // zeroed before the first key
    uint32_t stride;  // bytes of an entry
    uint32_t bits;  // there are 2^bits entries
} gp_key_table;

// Of an array whose length is a power of two.
#define GP_KEY_TABLE(array)                                                                                            \
    ((gp_key_table){(array), sizeof(array)[0], (uint32_t)__builtin_ctzll(sizeof(array) / sizeof(array)[0])})

// The entry of `key`, which is not 0; NULL: there is none. `claim`: makes it then, and NULL means that the places near where
// it belongs are taken. `is_new`: whether this call made it.
static inline void *gp_key_entry(gp_key_table table, uint64_t key, bool claim, bool *is_new) {
    const uint64_t start = key * 0x9e3779b97f4a7c15ull >> (64 - table.bits);
    *is_new = false;
    for (uint64_t probe = 0; probe < GP_KEY_PROBES; probe++) {
        const uint64_t place = (start + probe) & ((1ull << table.bits) - 1);
        uint64_t *entry = (uint64_t *)((char *)table.entries + place * table.stride);
        uint64_t present = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        if (present == 0) {
            if (!claim)
                return NULL;
            *is_new = __atomic_compare_exchange_n(entry, &present, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        }
        if (present == key || *is_new)
            return entry;
    }
    return NULL;
}

static inline void *gp_key_find(gp_key_table table, uint64_t key) {
    bool is_new;
    return gp_key_entry(table, key, false, &is_new);
}

static inline void *gp_key_claim(gp_key_table table, uint64_t key) {
    bool is_new;
    return gp_key_entry(table, key, true, &is_new);
}
