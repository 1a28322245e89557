// The hash table of the standard library's native dictionaries and sets.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uintptr_t bitmap;
    uint64_t buckets;
} gp_hash_table;

// The table of the storage at `object`, whose bitmap begins `bitmap` bytes behind it. False: not consistent.
bool gp_hash_table_of(uintptr_t object, uint64_t size, uint32_t bitmap, gp_hash_table *table);

bool gp_hash_table_has(const gp_hash_table *table, uint64_t bucket);
