// Side tables of Swift's reference counts: a block of C memory that an object with weak references owns through its
// count word, and whose first word points back to the object without owning it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "block_index.h"
#include "references.h"

// Whether the block is the side table of a live block.
static inline bool gp_is_side_table(const gp_block_index *index, uintptr_t block, size_t usable) {
    uintptr_t object = *(const uintptr_t *)block;
    return usable >= 32 && gp_index_exact(index, object) != GP_NO_BLOCK && gp_side_table_of(object) == block;
}
