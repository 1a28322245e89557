// Which block an address lies in: one bit for each 16-byte granule at which a block starts, with ranks, so that every
// block has a number. About 0.4 bytes for each byte-dense object; a lookup of an exact address is two loads.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"

#define GP_NO_BLOCK UINT32_MAX
#define GP_REGION_SHIFT 21
#define GP_REGION_WORDS 2048  // of 64 granules of 16 bytes: 2 MiB
#define GP_PAGE_SHIFT 30
#define GP_PAGE_REGIONS (1 << (GP_PAGE_SHIFT - GP_REGION_SHIFT))
#define GP_DIRECTORY_PAGES (1 << (GP_USER_BITS - GP_PAGE_SHIFT))

typedef struct {
    uint64_t starts[GP_REGION_WORDS];
    uint32_t rank[GP_REGION_WORDS];  // number of the first block that starts in the word
    uint64_t used[GP_REGION_WORDS / 64];  // which words have a start
    uintptr_t reaching;  // start of the last block below the region, 0: none
} gp_index_region;

typedef struct {
    gp_index_region *regions[GP_PAGE_REGIONS];
} gp_index_page;

typedef struct {
    uint32_t count;
    size_t capacity;
    uint64_t bytes;  // requested, of all blocks
    uintptr_t low, high;
    uintptr_t last;  // start of the block added last
    bool failed;  // no memory: the index must not be used
    uint64_t *slack;  // by block, two bits: words at its end that were not asked for; GP_SLACK_LARGE: three or more
    uintptr_t *pinned;  // blocks of the dynamic linker and of the recorder: roots
    size_t pinned_count;
    gp_index_page **directory;
} gp_block_index;

// Makes an empty index for up to `capacity` blocks.
bool gp_index_prepare(gp_block_index *index, size_t capacity);

// Adds the block [start, end), of which `asked` bytes were asked for. Blocks come in ascending order; end counts what the
// allocator lets it use.
void gp_index_add(gp_block_index *index, uintptr_t start, uintptr_t end, size_t asked);

enum { GP_SLACK_LARGE = 3 };

// Words at the end of the block that were not asked for, GP_SLACK_LARGE: ask the live table.
static inline unsigned gp_index_slack(const gp_block_index *index, uint32_t block) {
    return index->slack[block / 32] >> (block % 32 * 2) & 3;
}

// Reads all live blocks. False: no memory.
bool gp_index_build(gp_block_index *index);

static inline gp_index_region *gp_index_region_of(const gp_block_index *index, uintptr_t address) {
    if (address >> GP_USER_BITS)
        return NULL;
    gp_index_page *page = index->directory[address >> GP_PAGE_SHIFT];
    return page ? page->regions[(address >> GP_REGION_SHIFT) & (GP_PAGE_REGIONS - 1)] : NULL;
}

// Asks for what gp_index_exact reads of an address within `low` and `high`.
static inline void gp_index_prefetch(const gp_block_index *index, uintptr_t address) {
    const gp_index_region *region = gp_index_region_of(index, address);
    if (!region)
        return;
    __builtin_prefetch(&region->starts[(uint32_t)(address >> 10) & (GP_REGION_WORDS - 1)]);
    __builtin_prefetch(&region->rank[(uint32_t)(address >> 10) & (GP_REGION_WORDS - 1)]);
}

// The number of the block that starts at `address`, GP_NO_BLOCK: none does.
static inline uint32_t gp_index_exact(const gp_block_index *index, uintptr_t address) {
    const gp_index_region *region = gp_index_region_of(index, address);
    if (!region || (address & 15))
        return GP_NO_BLOCK;
    uint32_t word = (uint32_t)(address >> 10) & (GP_REGION_WORDS - 1);
    uint64_t bit = 1ull << ((address >> 4) & 63);
    uint64_t starts = region->starts[word];
    return starts & bit ? region->rank[word] + (uint32_t)__builtin_popcountll(starts & (bit - 1)) : GP_NO_BLOCK;
}

// Where the last block starts that does so at `address` or before; 0: none is known, for `address` lies 2 MiB and more
// behind it.
uintptr_t gp_index_last_start(const gp_block_index *index, uintptr_t address);

// The number of the block that contains `address` (its last usable byte included), and where it starts.
uint32_t gp_index_inside(const gp_block_index *index, uintptr_t address, uintptr_t *start);

// Calls `visit` for every block in ascending order of address and number; stops when it returns false.
void gp_index_each(const gp_block_index *index, bool (*visit)(uint32_t block, uintptr_t start, void *context),
                   void *context);
