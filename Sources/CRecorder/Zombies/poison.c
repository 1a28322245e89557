#include "poison.h"

void gp_poison_rest(uintptr_t *block, size_t words, uint32_t slot) {
    uintptr_t value = gp_poison_word(slot, words);
    for (size_t i = GP_POISON_DISTINCT; i < words; i++)
        block[i] = value;
}

bool gp_poison_rest_stands(const uintptr_t *block, size_t words, uint32_t slot) {
    uintptr_t value = gp_poison_word(slot, words), changed = 0;
    for (size_t i = GP_POISON_DISTINCT; i < words; i++)
        changed |= block[i] ^ value;
    return changed == 0;
}
