// The reference counts of Swift objects.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

// The bits of a stored reference that are an address: Swift keeps tags in the others.
#define GP_ADDRESS_BITS (~(uintptr_t)GP_OBJECT_SPARE_BITS)

// The bits of a user's address. Lock-free lists in C and C++ keep a counter of 16 bits above it.
#define GP_USER_ADDRESS_BITS (((uintptr_t)1 << GP_USER_BITS) - 1)

typedef struct {
    uint32_t strong, unowned, weak;
    bool has_side_table, deiniting, immortal;
} gp_reference_counts;

// Whether a reference count word is that of an object that is never deallocated, and whose count never changes: it has the
// slow-path bit, and is no side table's. Without that bit the low 32 bits are never all ones: immortal objects set them.
static inline bool gp_count_word_is_immortal(uint64_t word) {
    return (uint32_t)word == UINT32_MAX || word >> 62 == 2;
}

// Decodes the reference count word of a Swift object. A side table that is no known block is not looked at: then
// `immortal` is set beside `has_side_table`.
gp_reference_counts gp_reference_counts_of(uintptr_t object);

// The side table that the count word of the Swift object at `object` names, 0: none.
static inline uintptr_t gp_side_table_of(uintptr_t object) {
    const uintptr_t counts = *(const uintptr_t *)(object + 8);
    return counts >> 62 == 3 && (uint32_t)counts != UINT32_MAX ? counts << 3 & GP_USER_ADDRESS_BITS : 0;
}

// What a side table says. `table`: of an object that lives.
gp_reference_counts gp_side_table_counts(uintptr_t table);

enum { GP_SIDE_TABLE_BYTES = 32 };

// Writes these strong and unowned counts into the object itself; it had a side table or none.
void gp_object_counts_fill(uintptr_t object, gp_reference_counts counts);

// Makes `table` the side table of an object with these counts.
void gp_side_table_fill(uintptr_t table, uintptr_t object, gp_reference_counts counts);
