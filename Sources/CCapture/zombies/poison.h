// Filling a dead block and looking whether it is still as it was filled.
#ifndef GP_ZOMBIES_POISON_H
#define GP_ZOMBIES_POISON_H

#include <stddef.h>
#include <stdint.h>

#include "layout.h"

static inline size_t gp_poisoned_words(uint64_t size) {
    return (size < GP_POISONED_BYTES ? size : GP_POISONED_BYTES) / 8;
}

// `words`: how many words of the block are filled; with fewer than its size, what lies beyond stays as it was.
static inline void gp_poison(uintptr_t *block, size_t words, uint32_t grave) {
    if (words > 0)
        block[0] = gp_poison_metadata(grave);
    if (words > 1)
        block[1] = gp_poison_counts(grave);
    size_t distinct = words < GP_GRAVE_WORD_COUNT + 2 ? words : GP_GRAVE_WORD_COUNT + 2;
    uintptr_t value = gp_poison_word(grave, 2);
    size_t i = 2;
    for (; i < distinct; i++, value += GP_GRAVE_STRIDE)
        block[i] = value;
    for (; i < words; i++)
        block[i] = gp_poison_word(grave, i);
}

// Fills the stored properties alone.
static inline void gp_poison_properties(uintptr_t *block, size_t words, uint32_t grave) {
    for (size_t i = 2; i < words; i++)
        block[i] = gp_poison_word(grave, i);
}

// The index of the first word that was written, −1: none.
static inline ptrdiff_t gp_poison_broken(const uintptr_t *block, size_t words, uint32_t grave) {
    if (words > 0 && block[0] != gp_poison_metadata(grave))
        return 0;
    if (words > 1 && block[1] != gp_poison_counts(grave))
        return 1;
    size_t distinct = words < GP_GRAVE_WORD_COUNT + 2 ? words : GP_GRAVE_WORD_COUNT + 2;
    uintptr_t value = gp_poison_word(grave, 2);
    size_t i = 2;
    for (; i < distinct; i++, value += GP_GRAVE_STRIDE)
        if (block[i] != value)
            return (ptrdiff_t)i;
    for (; i < words; i++)
        if (block[i] != gp_poison_word(grave, i))
            return (ptrdiff_t)i;
    return -1;
}

#endif
