#include "object_kind.h"

#include "metadata.h"
#include "references.h"
#include "stale_filters.h"
#include "task.h"

enum { KNOWN_MAX = 4096 };

// Offsets of the words that the object's type describes, ascending as the decoder reports them or not at all.
typedef struct {
    uint32_t offsets[KNOWN_MAX];
    uint32_t count;
} known_words;

static void note_known(const gp_reference *reference, void *context) {
    known_words *known = context;
    if (known->count < KNOWN_MAX)
        known->offsets[known->count++] = reference->offset;
}

static bool is_known(const known_words *known, uint32_t offset) {
    for (uint32_t i = 0; i < known->count; i++)
        if (known->offsets[i] == offset)
            return true;
    return false;
}

static uint32_t block_named(const gp_block_index *index, uintptr_t word, uintptr_t *start) {
    *start = word;
    uint32_t block = gp_index_inside(index, word, start);
    if (block != GP_NO_BLOCK || word >> 48 == 0)
        return block;
    uintptr_t candidates[4];
    for (unsigned i = 0, count = gp_untag(word, candidates); i < count && block == GP_NO_BLOCK; i++)
        block = gp_index_inside(index, candidates[i], start);
    return block;
}

void gp_raw_words(const gp_block_index *index, uintptr_t address, size_t usable, gp_kind kind,
                  void (*visit)(uint32_t offset, uintptr_t start, uint32_t block, void *context), void *context) {
    static known_words known;
    known.count = 0;
    const uintptr_t end = address + gp_object_extent(index, address, usable, kind);
    gp_raw_part part = {.start = address + 16, .end = end};
    if (kind.kind >= 0)
        gp_references(address, usable, kind.kind, GP_DECODE_SHAPE, note_known, &known);
    else
        part = gp_raw_part_of(index, address, end, usable);
    for (uintptr_t at = part.start; at + 8 <= part.end; at += 8) {
        uintptr_t start;
        if (!gp_raw_part_counts(&part, index, *(const uintptr_t *)at))
            continue;
        uint32_t block = block_named(index, *(const uintptr_t *)at, &start);
        if (block != GP_NO_BLOCK && start != address && !is_known(&known, (uint32_t)(at - address)))
            visit((uint32_t)(at - address), start, block, context);
    }
}

static unsigned add_named(const gp_block_index *index, uintptr_t address, uint32_t *blocks, uintptr_t *starts,
                          unsigned count) {
    uint32_t block = gp_index_inside(index, address, &starts[count]);
    if (block == GP_NO_BLOCK)
        return count;
    for (unsigned i = 0; i < count; i++)
        if (blocks[i] == block)
            return count;
    blocks[count] = block;
    return count + 1;
}

unsigned gp_blocks_named(const gp_block_index *index, uintptr_t word, uint32_t blocks[GP_NAMED_MAX],
                         uintptr_t starts[GP_NAMED_MAX]) {
    if (word < 4096)
        return 0;
    unsigned count = add_named(index, word, blocks, starts, 0);
    uintptr_t untagged = word & GP_ADDRESS_BITS;
    if (count || (untagged == word && word >> 48 == 0))
        return count;
    count = add_named(index, untagged, blocks, starts, count);
    uintptr_t candidates[4];
    for (unsigned i = 0, found = gp_untag(word, candidates); i < found; i++)
        count = add_named(index, candidates[i], blocks, starts, count);
    return count;
}

// Side tables of Swift's reference counts: a block of C memory that an object with weak references owns through its count word,
// and whose first word points back to the object without owning it.
static bool is_side_table(const gp_block_index *index, uintptr_t block, size_t usable) {
    uintptr_t object = *(const uintptr_t *)block;
    return usable >= 32 && gp_index_exact(index, object) != GP_NO_BLOCK && gp_side_table_of(object) == block;
}

gp_raw_part gp_raw_part_of(const gp_block_index *index, uintptr_t block, uintptr_t end, size_t usable) {
    gp_raw_part part = {.start = block, .end = gp_runtime_table_end(block, end)};
    const gp_task_slab slab = gp_task_slab_at(block, part.end);
    part.is_task = slab.end && (!slab.next || gp_index_exact(index, slab.next) != GP_NO_BLOCK);
    if (part.is_task)
        part.end = slab.end;
    if (is_side_table(index, block, usable))
        part.start += 8;
    part.is_metadata = gp_block_is_metadata_slab(block, part.end - block);
    return part;
}
