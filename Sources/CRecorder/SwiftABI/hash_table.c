// Reading which buckets are occupied.
#include "hash_table.h"

#include "word.h"

enum { SCALE = 32 };

bool gp_hash_table_of(uintptr_t object, uint64_t size, uint32_t bitmap, gp_hash_table *table) {
    uint8_t scale = *(const uint8_t *)(object + SCALE);
    if (scale > 40) {
        return false;
    }
    table->bitmap = object + bitmap;
    table->buckets = (uint64_t)1 << scale;
    return bitmap + 8 * ((table->buckets + 63) / 64) <= size;
}

bool gp_hash_table_has(const gp_hash_table *table, uint64_t bucket) {
    return (gp_word_at(table->bitmap + 8 * (bucket / 64)) >> (bucket % 64)) & 1;
}
