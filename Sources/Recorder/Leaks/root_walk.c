#include "root_paths.h"

#include <stdatomic.h>

#include "system.h"
#include "TraceFormat.h"
#include "object_kind.h"
#include "references.h"
#include "stale_filters.h"

enum { PROGRESS_STEP = 4096 };

static void reach(gp_root_walk *walk, uint32_t block, uintptr_t start, uint32_t holder) {
    if (walk->holder[block] != GP_NOT_REACHED || (walk->proved && gp_set_has(walk->proved, block)))
        return;
    walk->holder[block] = holder;
    walk->queue[walk->count++] = start;
}

static void reach_words(const gp_root_words *words, void *context) {
    gp_root_walk *walk = context;
    if (words->next_chunks != walk->of_libc)
        return;
    for (uintptr_t at = (words->start + 7) & ~(uintptr_t)7; at + 8 <= words->end; at += 8) {
        uint32_t blocks[GP_NAMED_MAX];
        uintptr_t starts[GP_NAMED_MAX], word = *(const uintptr_t *)at;
        unsigned count = gp_blocks_named(walk->index, word, blocks, starts);
        for (unsigned i = 0; i < count; i++)
            if (!words->next_chunks || word != gp_next_chunk(starts[i]))
                reach(walk, blocks[i], starts[i], GP_HELD_BY_ROOT);
    }
}

static void follow(gp_root_walk *walk, uint32_t block, uintptr_t start) {
    if (walk->edge)
        walk->edge(walk->current, block, walk->edge_context);
    reach(walk, block, start, GP_HELD_BY_BLOCK + walk->current);
}

static void follow_reference(const gp_reference *reference, void *context) {
    gp_root_walk *walk = context;
    uint32_t block = gp_index_exact(walk->index, reference->target);
    if (block == GP_NO_BLOCK || reference->ownership == GP_OWN_WEAK || reference->ownership == GP_OWN_UNOWNED)
        return;
    // A typed pointer to memory without a count is the only kind of owner that such memory has.
    bool owns = reference->ownership != GP_OWN_UNMANAGED || walk->unmanaged || gp_kind_of(reference->target).kind < 0;
    if (owns)
        follow(walk, block, reference->target);
    else if (walk->edge)
        walk->edge(walk->current, block, walk->edge_context);
}

static void follow_raw(uint32_t offset, uintptr_t start, uint32_t block, void *context) {
    (void)offset;
    follow(context, block, start);
}

static void follow_block(gp_root_walk *walk, uintptr_t block) {
    size_t usable = gp_block_usable(block);
    gp_kind kind = gp_object_kind(block, usable);
    walk->current = gp_index_exact(walk->index, block);
    const gp_decoded decoded = gp_references(block, usable, kind.kind, GP_DECODE_SHAPE, follow_reference, walk);
    if (decoded != GP_DECODED_ALL)
        gp_raw_words(walk->index, block, usable, kind, follow_raw, walk);
}

static void follow_all(gp_root_walk *walk) {
    while (walk->head < walk->count) {
        if (walk->head % PROGRESS_STEP == 0)
            atomic_fetch_add(walk->progress, 1);
        follow_block(walk, walk->queue[walk->head++]);
    }
}

static uint32_t count_reached(const gp_root_walk *walk) {
    uint32_t reached = 0;
    for (uint32_t i = 0; i < walk->count; i++)
        reached += gp_set_has(walk->wanted, gp_index_exact(walk->index, walk->queue[i]));
    return reached;
}

static void leave_aside(uint32_t block, void *context) {
    ((gp_root_walk *)context)->holder[block] = GP_HELD_BY_ROOT;
}

bool gp_root_walk_run(gp_root_walk *walk, uint32_t wanted_count) {
    walk->holder = gp_system_pages((walk->index->count + 1ul) * sizeof *walk->holder);
    walk->queue = gp_system_pages((walk->index->count + 1ul) * sizeof *walk->queue);
    if (!walk->holder || !walk->queue)
        return false;
    gp_dispatch_cache_each(walk->roots, leave_aside, walk);
    gp_roots_each_lasting(walk->roots, reach_words, walk);
    follow_all(walk);
    gp_roots_each_passing(walk->roots, reach_words, walk);
    follow_all(walk);
    // libc's own variables name buffers, whose words are what their last owners left.
    walk->of_libc = true;
    gp_roots_each_lasting(walk->roots, reach_words, walk);
    follow_all(walk);
    if (count_reached(walk) < wanted_count) {
        walk->edge = NULL;
        walk->unmanaged = true;
        walk->head = 0;
        follow_all(walk);
    }
    return true;
}
