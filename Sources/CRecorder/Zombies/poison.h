// Filling a dead block and looking whether it is still as it was filled.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "layout.h"
#include "slow_path.h"

static inline size_t gp_poisoned_words(uint64_t size) {
    return (size < GP_POISONED_BYTES ? size : GP_POISONED_BYTES) / 8;
}

enum { GP_POISON_DISTINCT = GP_SLOT_WORD_COUNT + 2 };

// Most blocks have a few words: what the compiler would do for many costs them more than the words themselves.
#define GP_SHORT_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")

// The words of a long block that share the last address.
GP_SLOW_PATH void gp_poison_rest(uintptr_t *block, size_t words, uint32_t slot);
GP_SLOW_PATH bool gp_poison_rest_stands(const uintptr_t *block, size_t words, uint32_t slot);

// `words`: how many words of the block are filled; with fewer than its size, what lies beyond stays as it was.
static inline void gp_poison(uintptr_t *block, size_t words, uint32_t slot) {
    if (__builtin_expect(words < 2, 0)) {
        if (words > 0)
            block[0] = gp_poison_metadata(slot);
        return;
    }
    block[0] = gp_poison_metadata(slot);
    block[1] = gp_poison_counts(slot);
    uintptr_t value = gp_poison_word(slot, 2);
    const uintptr_t *end = block + (words < GP_POISON_DISTINCT ? words : GP_POISON_DISTINCT);
    GP_SHORT_LOOP
    for (uintptr_t *word = block + 2; word < end; word++, value += GP_SLOT_STRIDE)
        *word = value;
    if (__builtin_expect(words > GP_POISON_DISTINCT, 0))
        gp_poison_rest(block, words, slot);
}

// Fills the stored properties alone.
static inline void gp_poison_properties(uintptr_t *block, size_t words, uint32_t slot) {
    for (size_t i = 2; i < words; i++)
        block[i] = gp_poison_word(slot, i);
}

// Whether all words are as they were filled.
static inline bool gp_poison_is_intact(const uintptr_t *block, size_t words, uint32_t slot) {
    if (__builtin_expect(words < 2, 0))
        return words == 0 || block[0] == gp_poison_metadata(slot);
    uintptr_t changed = (block[0] ^ gp_poison_metadata(slot)) | (block[1] ^ gp_poison_counts(slot));
    uintptr_t value = gp_poison_word(slot, 2);
    const uintptr_t *end = block + (words < GP_POISON_DISTINCT ? words : GP_POISON_DISTINCT);
    GP_SHORT_LOOP
    for (const uintptr_t *word = block + 2; word < end; word++, value += GP_SLOT_STRIDE)
        changed |= *word ^ value;
    bool long_one = words > GP_POISON_DISTINCT;
    return changed == 0 && (__builtin_expect(!long_one, 1) || gp_poison_rest_stands(block, words, slot));
}

static inline void gp_poison_clear(uintptr_t *block, size_t words) {
    const uintptr_t *end = block + (words < GP_POISON_DISTINCT ? words : GP_POISON_DISTINCT);
    GP_SHORT_LOOP
    for (uintptr_t *word = block; word < end; word++)
        *word = 0;
    if (__builtin_expect(words > GP_POISON_DISTINCT, 0))
        memset(block + GP_POISON_DISTINCT, 0, (words - GP_POISON_DISTINCT) * sizeof *block);
}

// The index of the first word that was written, −1: none.
static inline ptrdiff_t gp_poison_broken(const uintptr_t *block, size_t words, uint32_t slot) {
    for (size_t i = 0; i < words; i++) {
        uintptr_t filled = i == 0   ? gp_poison_metadata(slot)
                           : i == 1 ? gp_poison_counts(slot)
                                    : gp_poison_word(slot, i);
        if (block[i] != filled)
            return (ptrdiff_t)i;
    }
    return -1;
}
