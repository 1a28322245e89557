#include "block_index.h"

#include "live_table.h"

enum { PINNED_MAX = 1 << 20, BLOCKS_MAX = 1 << 30 };

bool gp_index_prepare(gp_block_index *index, size_t capacity) {
    *index = (gp_block_index){.directory = gp_system_pages(GP_DIRECTORY_PAGES * sizeof(gp_index_page *)),
                              .pinned = gp_system_pages(PINNED_MAX * sizeof(uintptr_t)),
                              .capacity = capacity};
    return index->directory && index->pinned;
}

static gp_index_region *make_region(gp_block_index *index, uintptr_t address) {
    gp_index_page **page = &index->directory[address >> GP_PAGE_SHIFT];
    if (!*page && !(*page = gp_system_pages(sizeof(gp_index_page))))
        return NULL;
    gp_index_region **region = &(*page)->regions[(address >> GP_REGION_SHIFT) & (GP_PAGE_REGIONS - 1)];
    if (!*region && (*region = gp_system_pages(sizeof(gp_index_region))))
        (*region)->reaching = index->last;
    return *region;
}

void gp_index_add(gp_block_index *index, uintptr_t start, uintptr_t end) {
    gp_index_region *region =
        start >> GP_USER_BITS || index->count == index->capacity ? NULL : make_region(index, start);
    if (!region) {
        index->failed = true;
        return;
    }
    uint32_t word = (uint32_t)(start >> 10) & (GP_REGION_WORDS - 1);
    if (!region->starts[word])
        region->rank[word] = index->count;
    region->starts[word] |= 1ull << ((start >> 4) & 63);
    region->used[word / 64] |= 1ull << (word % 64);
    if (!index->count++)
        index->low = start;
    index->last = start;
    if (end > index->high)
        index->high = end;
    uintptr_t step = (uintptr_t)1 << GP_REGION_SHIFT;
    for (uintptr_t next = (start & -step) + step; next < end; next += step)
        if (!make_region(index, next))
            index->failed = true;
}

static bool add_live(const gp_block *block, void *context) {
    gp_block_index *index = context;
    if (block->address & 15)
        return true;
    gp_index_add(index, block->address, block->address + gp_block_usable(block->address));
    index->bytes += block->size;
    if (block->flags & (GP_BLOCK_LOADER | GP_BLOCK_RECORDER) && index->pinned_count < PINNED_MAX)
        index->pinned[index->pinned_count++] = block->address;
    return !index->failed;
}

bool gp_index_build(gp_block_index *index) {
    if (!gp_index_prepare(index, BLOCKS_MAX))
        return false;
    gp_live_each(add_live, index);
    return !index->failed;
}

static uintptr_t last_start_up_to(const gp_index_region *region, uintptr_t address) {
    uintptr_t base = address & -((uintptr_t)1 << GP_REGION_SHIFT);
    uint32_t word = (uint32_t)(address >> 10) & (GP_REGION_WORDS - 1);
    uint64_t starts = region->starts[word] & (~0ull >> (63 - ((address >> 4) & 63)));
    if (!starts) {
        uint32_t group = word / 64;
        uint64_t used = region->used[group] & ((1ull << (word % 64)) - 1);
        while (!used && group > 0)
            used = region->used[--group];
        if (!used)
            return region->reaching;
        word = group * 64 + 63 - (uint32_t)__builtin_clzll(used);
        starts = region->starts[word];
    }
    return base + ((uintptr_t)word << 10) + ((uintptr_t)(63 - __builtin_clzll(starts)) << 4);
}

uintptr_t gp_index_last_start(const gp_block_index *index, uintptr_t address) {
    const gp_index_region *region = gp_index_region_of(index, address);
    return region ? last_start_up_to(region, address) : 0;
}
