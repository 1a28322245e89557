#include "stale_filters.h"

#include "thread_control_block.h"
#include "system.h"
#include "TraceFormat.h"

enum { STACKS_MAX = 1 << 16 };

static bool control_blocks_are_known;

void gp_ended_stacks_prepare(void) {
    control_blocks_are_known = gp_control_blocks_prepare();
}

bool gp_ended_stacks_begin(gp_ended_stacks *ended) {
    *ended = (gp_ended_stacks){.stacks = gp_system_pages(STACKS_MAX * sizeof(gp_ended_stack))};
    return ended->stacks != NULL;
}

static void look_at(gp_ended_stacks *ended, uintptr_t block) {
    gp_stack_bounds bounds;
    bool is_joined;
    // libc gives no guard to a stack that the program made.
    if (gp_control_block_ended(block, &is_joined) && gp_control_block_stack(block, &bounds) && bounds.guard > 0 &&
        ended->count < STACKS_MAX)
        ended->stacks[ended->count++] = (gp_ended_stack){
            .range = {bounds.low, bounds.low + bounds.size}, .control_block = block, .is_joined = is_joined};
}

void gp_ended_stacks_note(const gp_root_words *words, void *ended) {
    const uintptr_t step = GP_CONTROL_BLOCK_ALIGNMENT;
    if (words->kind != GP_ROOT_MAPPED || !control_blocks_are_known || words->end - words->start < GP_CONTROL_BLOCK)
        return;
    for (uintptr_t at = (words->start + step - 1) & -step; at <= words->end - GP_CONTROL_BLOCK; at += step)
        look_at(ended, at);
}

gp_address_range gp_ended_stack_first(const gp_ended_stacks *ended, uintptr_t from, uintptr_t end) {
    size_t low = 0, high = ended ? ended->count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ended->stacks[middle].range.end <= from)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = ended && low < ended->count && ended->stacks[low].range.start < end;
    return found ? ended->stacks[low].range : (gp_address_range){end, end};
}

void gp_ended_stacks_each_result(const gp_ended_stacks *ended, gp_range_visitor *visit, void *context) {
    const uint32_t offset = gp_control_block_start_routine();
    for (size_t i = 0; ended && i < ended->count; i++) {
        uintptr_t block = ended->stacks[i].control_block;
        if (ended->stacks[i].is_joined)
            continue;
        const uintptr_t routine = block + offset, past = block + GP_CONTROL_BLOCK;
        visit(block, routine, context);
        visit(offset ? routine + 2 * sizeof(uintptr_t) : block, past, context);
    }
}
