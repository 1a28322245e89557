// Which block an address lies in: one bit for each 16-byte granule at which a block starts, with ranks, so that every
// block has a number. About 0.4 bytes for each byte-dense object; a lookup of an exact address is two loads.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "system.h"

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
    uintptr_t *pinned;  // blocks of the dynamic linker and of the recorder: roots
    size_t pinned_count;
    gp_index_page **directory;
} gp_block_index;

// Makes an empty index for up to `capacity` blocks.
bool gp_index_prepare(gp_block_index *index, size_t capacity);

// Adds the block [start, end). Blocks come in ascending order; end counts what the allocator lets it use.
void gp_index_add(gp_block_index *index, uintptr_t start, uintptr_t end);

// Reads all live blocks. False: no memory.
bool gp_index_build(gp_block_index *index);

static inline gp_index_region *gp_index_region_of(const gp_block_index *index, uintptr_t address) {
    if (address >> GP_USER_BITS)
        return NULL;
    gp_index_page *page = index->directory[address >> GP_PAGE_SHIFT];
    return page ? page->regions[(address >> GP_REGION_SHIFT) & (GP_PAGE_REGIONS - 1)] : NULL;
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

// ------------------------------------------------------------------------------------------------ sets of block numbers

static inline size_t gp_set_size(uint32_t count) {
    return ((size_t)count + 63) / 64 * 8;
}

// A set for numbers below `count`, of which it has none; NULL: no memory.
static inline uint64_t *gp_set_new(uint32_t count) {
    return gp_system_pages(gp_set_size(count) + 8);
}

static inline bool gp_set_has(const uint64_t *bits, uint32_t number) {
    return bits[number / 64] >> (number % 64) & 1;
}

// Adds a number. False: it was there.
static inline bool gp_set_add(uint64_t *bits, uint32_t number) {
    uint64_t bit = 1ull << (number % 64), before = bits[number / 64];
    bits[number / 64] = before | bit;
    return !(before & bit);
}

// --------------------------------------------------------------------------------------------- what glibc's headers say

// The word before a block holds its chunk's size and three flags.
enum { GP_CHUNK_MAPPED = 2, GP_CHUNK_ARENA = 4, GP_CHUNK_FLAGS = 7 };

static inline size_t gp_chunk_word(uintptr_t block) {
    return *(const size_t *)(block - 8);
}

// A chunk mapped by itself has both header words in front, another lends the next chunk's first word.
static inline size_t gp_block_usable(uintptr_t block) {
    size_t word = gp_chunk_word(block);
    return (word & ~(size_t)GP_CHUNK_FLAGS) - (word & GP_CHUNK_MAPPED ? 16 : 8);
}

typedef struct {
    uintptr_t start, end;
} gp_address_range;

// Where the first block starts that does so at `from` or behind; `end`: none before that.
uintptr_t gp_index_first_start(const gp_block_index *index, uintptr_t from, uintptr_t end);

// The arena of the heap that starts at the multiple of GP_HEAP_SPAN; 0: none does.
uintptr_t gp_arena_of_heap(uintptr_t heap);

// Of glibc's heaps of arenas other than the main one.
#define GP_HEAP_SPAN (64ul << 20)

// The first region of the allocator that ends above `from` and starts below `end`; start == end: none.
gp_address_range gp_allocator_region(const gp_block_index *index, uintptr_t from, uintptr_t end);
