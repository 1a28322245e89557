#include "noted_stack.h"

// The lowest address and the size stand side by side in the control block, which lies at the stack's end; the size of
// the guard stands behind them.
bool gp_noted_stack_read(uintptr_t control_block, gp_noted_stack *noted) {
    enum { LEAST = 16384, ABOVE = 65536, WORDS = GP_CONTROL_BLOCK / sizeof(uintptr_t) };
    const uintptr_t *words = (const uintptr_t *)control_block;
    for (unsigned i = 0; i + 2 < WORDS; i++) {
        uintptr_t low = words[i], size = words[i + 1], below = control_block - low;
        if (low < ABOVE || low >= control_block || size < LEAST || size <= below || size - below > ABOVE)
            continue;
        *noted = (gp_noted_stack){low, size, words[i + 2]};
        return true;
    }
    return false;
}

void gp_narrow_to_noted_stack(gp_mapping *mapping, uintptr_t control_block) {
    gp_noted_stack noted;
    if (control_block % sizeof(uintptr_t) != 0 || control_block < mapping->start || control_block > mapping->end ||
        mapping->end - control_block < GP_CONTROL_BLOCK || !gp_noted_stack_read(control_block, &noted))
        return;
    mapping->start = noted.low > mapping->start ? noted.low : mapping->start;
    mapping->end = noted.low + noted.size < mapping->end ? noted.low + noted.size : mapping->end;
}
