#include "block_index.h"

// An arena other than the main one consists of heaps that start at a multiple of 64 MiB with
// { arena, previous heap, size, … }; its arena stands behind the header of the first heap.
static const uintptr_t HEAP_SPAN = GP_HEAP_SPAN;

static gp_address_range heap_at(uintptr_t heap) {
    const uintptr_t *header = (const uintptr_t *)heap;
    uintptr_t arena = header[0], size = header[2];
    uintptr_t in_heap = arena & (HEAP_SPAN - 1);
    if (!arena || in_heap < 0x20 || in_heap > 0x40 || size > HEAP_SPAN || size < GP_PAGE || size % GP_PAGE)
        return (gp_address_range){0, 0};
    return (gp_address_range){heap, heap + size};
}

uintptr_t gp_arena_of_heap(uintptr_t heap) {
    return heap % HEAP_SPAN == 0 && heap_at(heap).end ? *(const uintptr_t *)heap : 0;
}

static gp_address_range region_of_block(uintptr_t block, uintptr_t end) {
    size_t word = gp_chunk_word(block);
    uintptr_t chunk = block - 16;
    if (word & GP_CHUNK_MAPPED) {
        // The first header word says how far into the mapping an aligned block was moved.
        uintptr_t start = chunk - *(const size_t *)chunk;
        return (gp_address_range){gp_page_start(start), gp_page_end(chunk + (word & ~(size_t)GP_CHUNK_FLAGS))};
    }
    if (word & GP_CHUNK_ARENA) {
        gp_address_range heap = heap_at(block & -HEAP_SPAN);
        if (heap.end > block)
            return heap;
    }
    return (gp_address_range){gp_page_start(block), end};
}

uintptr_t gp_index_first_start(const gp_block_index *index, uintptr_t from, uintptr_t end) {
    for (uintptr_t at = from; at < end; at = (at & -1024ul) + 1024) {
        const gp_index_region *region = gp_index_region_of(index, at);
        if (!region) {
            at = (at & -(1ul << GP_REGION_SHIFT)) + (1ul << GP_REGION_SHIFT) - 1024;
            continue;
        }
        uint64_t starts = region->starts[at >> 10 & (GP_REGION_WORDS - 1)] & (~0ull << (at >> 4 & 63));
        if (starts)
            return (at & -1024ul) + ((uintptr_t)__builtin_ctzll(starts) << 4);
    }
    return end;
}

// The rest of the region of the block in front of `from`: memory protection or advice for a part of a block splits its
// mapping. Where the mapping of the main arena ends is not known: the block alone counts.
static uintptr_t end_of_split(const gp_block_index *index, uintptr_t from) {
    uintptr_t block = gp_index_last_start(index, from);
    if (!block)
        return from;
    uintptr_t end = block + gp_block_usable(block);
    if (gp_chunk_word(block) & (GP_CHUNK_MAPPED | GP_CHUNK_ARENA)) {
        gp_address_range region = region_of_block(block, end);
        end = region.end > end ? region.end : end;
    }
    return end > from ? end : from;
}

gp_address_range gp_allocator_region(const gp_block_index *index, uintptr_t from, uintptr_t end) {
    uintptr_t split = end_of_split(index, from);
    if (split > from)
        return (gp_address_range){from, split};
    uintptr_t block = gp_index_first_start(index, from, end);
    gp_address_range none = {end, end};
    gp_address_range region = block < end ? region_of_block(block, end) : none;
    for (uintptr_t heap = (from + HEAP_SPAN - 1) & -HEAP_SPAN; heap < end && heap < region.start; heap += HEAP_SPAN) {
        gp_address_range found = heap_at(heap);
        if (found.end)
            return found;
    }
    return region;
}
