// Where a block starts, by its number: the way back from a set of numbers to memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"

typedef struct {
    uint32_t first;  // number of the region's first block
    uintptr_t base;
    const gp_index_region *region;
} gp_block_place;

typedef struct {
    gp_block_place *places;  // of the regions in which blocks start, ascending
    uint32_t count;
} gp_block_places;

// False: no memory.
bool gp_places_prepare(gp_block_places *places, const gp_block_index *index);

// The start of the block with this number, which exists. About 50 ns.
uintptr_t gp_place_of(const gp_block_places *places, uint32_t block);
