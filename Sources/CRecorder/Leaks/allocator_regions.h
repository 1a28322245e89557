// The regions in which glibc keeps its blocks, found from the blocks themselves.
#pragma once

#include <stdint.h>

#include "block_index.h"

typedef struct {
    uintptr_t start, end;
} gp_address_range;

// The first region of the allocator that ends above `from` and starts below `end`; start == end: none.
gp_address_range gp_allocator_region(const gp_block_index *index, uintptr_t from, uintptr_t end);
