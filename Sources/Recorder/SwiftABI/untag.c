// Swift's ways of hiding an address in a word.
#include "arch.h"
#include "references.h"

enum { STRING_BIAS = 32 };
static const uintptr_t SIDE_TABLE = (uintptr_t)3 << 62;

static unsigned add(uintptr_t candidates[4], unsigned count, uintptr_t address, uintptr_t word) {
    if (address == word || address < 65536 || address >> GP_USER_BITS != 0)
        return count;
    for (unsigned i = 0; i < count; i++)
        if (candidates[i] == address)
            return count;
    candidates[count] = address;
    return count + 1;
}

unsigned gp_untag(uintptr_t word, uintptr_t candidates[4]) {
    unsigned count = add(candidates, 0, word & GP_ADDRESS_BITS, word);
    if (word >> 63 != 0)
        count = add(candidates, count, (word & GP_ADDRESS_BITS) + STRING_BIAS, word);
    if ((word & SIDE_TABLE) == SIDE_TABLE)
        count = add(candidates, count, word << 3, word);
    if (word >> 48 != 0)
        count = add(candidates, count, word & GP_USER_ADDRESS_BITS, word);
    return count;
}
