#include "thread_control_block.h"

#include <stddef.h>

// The lowest address and the size stand side by side in the control block, which lies at the stack's end; the size of
// the guard stands behind them.
bool gp_control_block_stack(uintptr_t control_block, gp_stack_bounds *bounds) {
    enum { LEAST = 16384, ABOVE = 65536, WORDS = GP_CONTROL_BLOCK / sizeof(uintptr_t) };
    const uintptr_t *words = (const uintptr_t *)control_block;
    for (unsigned i = 0; i + 2 < WORDS; i++) {
        uintptr_t low = words[i], size = words[i + 1], below = control_block - low;
        if (low < ABOVE || low >= control_block || size < LEAST || size <= below || size - below > ABOVE)
            continue;
        *bounds = (gp_stack_bounds){low, size, words[i + 2]};
        return true;
    }
    return false;
}

void gp_narrow_to_stack(gp_mapping *mapping, uintptr_t control_block) {
    gp_stack_bounds bounds;
    if (control_block % sizeof(uintptr_t) != 0 || control_block < mapping->start || control_block > mapping->end ||
        mapping->end - control_block < GP_CONTROL_BLOCK || !gp_control_block_stack(control_block, &bounds))
        return;
    mapping->start = bounds.low > mapping->start ? bounds.low : mapping->start;
    mapping->end = bounds.low + bounds.size < mapping->end ? bounds.low + bounds.size : mapping->end;
}

// dtv_t: the header has the count of entries before it and a generation at 0, modules begin at 1.
typedef union {
    size_t count;
    struct {
        uintptr_t block, to_free;
    };
} vector_entry;

uintptr_t gp_thread_local_block(uintptr_t module) {
    enum { NO_BLOCK_YET = -1 };
    const vector_entry *vector = ((vector_entry *const *)gp_thread_pointer())[GP_TLS_VECTOR_WORD];
    const uintptr_t block = module > vector[-1].count ? 0 : vector[module].block;
    return block == (uintptr_t)NO_BLOCK_YET ? 0 : block;
}
