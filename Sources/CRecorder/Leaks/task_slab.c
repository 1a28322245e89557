#include "task_slab.h"

#include <stddef.h>

// The metadata that marks it, the next slab, room and use in bytes without this header of 32.
typedef struct {
    uintptr_t mark, next;
    uint32_t capacity, used;
    uintptr_t padding;
    // Every frame begins with the one before it and the slab that it lies in.
    uintptr_t first_before, first_slab;
} slab;

enum { ALIGNMENT = 16, HEADER = offsetof(slab, first_before) };

bool gp_is_task_slab(const gp_block_index *index, uintptr_t block, uintptr_t end) {
    const slab *at = (const slab *)block;
    if (end - block < sizeof *at || at->first_slab != block || at->mark == 0 || at->mark % 8 != 0 ||
        at->used > at->capacity || at->used % ALIGNMENT != 0 ||
        (at->next != 0 && gp_index_exact(index, at->next) == GP_NO_BLOCK))
        return false;
    uintptr_t room = block + HEADER + at->capacity;
    return room <= end + ALIGNMENT && room + ALIGNMENT >= end;
}

uintptr_t gp_task_slab_end(uintptr_t block) {
    return block + HEADER + ((const slab *)block)->used;
}
