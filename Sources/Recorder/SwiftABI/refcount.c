// The reference count word of a heap object, and the side table that may stand for it and that weak references name.
#include "reference_counts.h"
#include "live_table.h"
#include "word.h"

// Bits: 0 immortal (with all of the low half set) or pure Swift deallocation, 1–31 unowned, 32 deiniting,
// 33–62 strong − 1, 63 slow path; 63 and 62 together: the rest is the address of a side table, shifted by three.
enum { COUNT_WORD = 8, TABLE_COUNTS = 16, TABLE_WEAK = 24 };

static void read_counts(uint64_t word, gp_reference_counts *counts) {
    counts->immortal = gp_count_word_is_immortal(word);
    counts->unowned = (uint32_t)(word >> 1) & 0x7fffffff;
    counts->unowned -= counts->unowned > 0;
    counts->deiniting = (word >> 32) & 1;
    counts->strong = counts->deiniting ? 0 : ((uint32_t)(word >> 33) & 0x3fffffff) + 1;
}

gp_reference_counts gp_side_table_counts(uintptr_t table) {
    gp_reference_counts counts = {.has_side_table = true};
    read_counts(gp_word_at(table + TABLE_COUNTS), &counts);
    uint32_t weak = gp_u32_at(table + TABLE_WEAK);
    counts.weak = weak > 0 ? weak - 1 : 0;
    return counts;
}

static uint64_t packed(gp_reference_counts counts) {
    return (uint64_t)(counts.strong - 1) << 33 | (uint64_t)(counts.unowned + 1) << 1;
}

void gp_object_counts_fill(uintptr_t object, gp_reference_counts counts) {
    *(uint64_t *)(object + COUNT_WORD) = packed(counts) | 1;
}

void gp_side_table_fill(uintptr_t table, uintptr_t object, gp_reference_counts counts) {
    *(uintptr_t *)table = object;
    *(uint64_t *)(table + TABLE_COUNTS) = packed(counts);
    *(uint32_t *)(table + TABLE_WEAK) = counts.weak + 1;
}

gp_reference_counts gp_reference_counts_of(uintptr_t object) {
    gp_reference_counts counts = {0};
    uintptr_t table = gp_side_table_of(object);
    gp_block block;
    if (!table)
        read_counts(gp_word_at(object + COUNT_WORD), &counts);
    else if (gp_live_get(table, &block) && block.size >= GP_SIDE_TABLE_BYTES)
        counts = gp_side_table_counts(table);
    else
        counts.immortal = counts.has_side_table = true;
    return counts;
}
