#include "block_index.h"

// The first word of the region in which a block starts, GP_REGION_WORDS: none.
static uint32_t first_word(const gp_index_region *region) {
    for (uint32_t group = 0; group < GP_REGION_WORDS / 64; group++)
        if (region->used[group])
            return group * 64 + (uint32_t)__builtin_ctzll(region->used[group]);
    return GP_REGION_WORDS;
}

static void visit_regions(gp_block_places *places, const gp_block_index *index, bool store) {
    places->count = 0;
    for (uintptr_t p = 0; p < GP_DIRECTORY_PAGES; p++)
        for (uintptr_t r = 0; index->directory[p] && r < GP_PAGE_REGIONS; r++) {
            const gp_index_region *region = index->directory[p]->regions[r];
            uint32_t word = region ? first_word(region) : GP_REGION_WORDS;
            if (word == GP_REGION_WORDS)
                continue;
            if (store)
                places->places[places->count] =
                    (gp_block_place){region->rank[word], (p << GP_PAGE_SHIFT) + (r << GP_REGION_SHIFT), region};
            places->count++;
        }
}

bool gp_places_prepare(gp_block_places *places, const gp_block_index *index) {
    visit_regions(places, index, false);
    places->places = gp_system_pages((places->count + 1ul) * sizeof *places->places);
    if (places->places)
        visit_regions(places, index, true);
    return places->places != NULL;
}

static const gp_block_place *place_with(const gp_block_places *places, uint32_t block) {
    uint32_t low = 0, high = places->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (places->places[middle].first <= block)
            low = middle;
        else
            high = middle;
    }
    return &places->places[low];
}

uintptr_t gp_place_of(const gp_block_places *places, uint32_t block) {
    const gp_block_place *place = place_with(places, block);
    const gp_index_region *region = place->region;
    uint32_t word = GP_REGION_WORDS;
    for (uint32_t group = GP_REGION_WORDS / 64; group-- > 0;) {
        uint64_t used = region->used[group];
        // Ranks ascend: once a group's first word is not beyond the block, the block is in this group.
        if (!used || region->rank[group * 64 + (uint32_t)__builtin_ctzll(used)] > block)
            continue;
        for (word = group * 64 + 63 - (uint32_t)__builtin_clzll(used); region->rank[word] > block;
             word = group * 64 + 63 - (uint32_t)__builtin_clzll(used))
            used &= ~(1ull << (word % 64));
        break;
    }
    uint64_t starts = region->starts[word];
    for (uint32_t skip = block - region->rank[word]; skip > 0; skip--)
        starts &= starts - 1;
    return place->base + ((uintptr_t)word << 10) + ((uintptr_t)__builtin_ctzll(starts) << 4);
}
