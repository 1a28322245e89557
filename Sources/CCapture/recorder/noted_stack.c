#include "noted_stack.h"

// The lowest address and the size stand side by side in the control block, which lies at the stack's end.
void gp_narrow_to_noted_stack(gp_mapping *mapping, uintptr_t control_block) {
    enum { LEAST = 16384, ABOVE = 65536, WORDS = GP_CONTROL_BLOCK / sizeof(uintptr_t) };
    const uintptr_t *words = (const uintptr_t *)control_block;
    if (control_block % sizeof *words != 0 || mapping->end < control_block + GP_CONTROL_BLOCK)
        return;
    for (unsigned i = 0; i + 1 < WORDS; i++) {
        uintptr_t low = words[i], size = words[i + 1], below = control_block - low;
        if (low < ABOVE || low >= control_block || size < LEAST || size <= below || size - below > ABOVE)
            continue;
        mapping->start = low > mapping->start ? low : mapping->start;
        mapping->end = low + size < mapping->end ? low + size : mapping->end;
        return;
    }
}
