#include "sampled_stack.h"

#include "memo_check.h"
#include "rule_cache.h"
#include "stack_reads.h"
#include "stack_tree.h"
#include "step.h"
#include "TraceFormat.h"
#include "thread.h"

enum { WALKED_MOST = 1 << 17 };

// Frames outwards of those that the memo keeps, as they were met: the last of them count.
typedef struct {
    uint32_t count;
    uintptr_t pc[GP_OUTERMOST_FRAMES], slot[GP_OUTERMOST_FRAMES];
    bool exact[GP_OUTERMOST_FRAMES];
} outward_walk;

// False: there are too many.
static bool walk_outwards(gp_thread *thread, const gp_stack_frame *from, outward_walk *walk) {
    gp_frame_state state;
    gp_frame_state_set(&state, from->at.pc, from->cfa, from->at.fp, from->fp_slot, from->traits & GP_EXACT,
                       from->pc_slot, 0);
    gp_stack_reads reads = gp_stack_reads_at(thread, from->cfa);
    walk->count = 0;
    for (gp_rule rule = gp_rule_at(thread, state.pc, state.exact); rule;
         rule = gp_rule_at(thread, state.pc, state.exact)) {
        gp_step_result result = gp_step(&state, rule, &reads);
        if (result == GP_STEP_END || result == GP_STEP_LOST)
            return true;
        if (walk->count == WALKED_MOST)
            return false;
        const uint32_t place = walk->count++ % GP_OUTERMOST_FRAMES;
        walk->pc[place] = state.pc;
        walk->slot[place] = gp_state_pc_slot(&state);
        walk->exact[place] = state.exact;
    }
    // The step before led to no code.
    walk->count -= walk->count > 0;
    return true;
}

// Gives the outermost frames of the walk their nodes and keeps them.
static void keep(gp_thread *thread, const outward_walk *walk, gp_outermost_frames *outermost) {
    const uint32_t count = walk->count < GP_OUTERMOST_FRAMES ? walk->count : GP_OUTERMOST_FRAMES;
    outermost->count = 0;
    outermost->node = 0;
    outermost->lies_on_stack = true;
    outermost->generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = (walk->count - 1 - i) % GP_OUTERMOST_FRAMES;
        outermost->pc[i] = walk->pc[place];
        outermost->slot[i] = walk->slot[place];
        outermost->lies_on_stack &= !walk->exact[place];
        outermost->node =
            gp_stack_node(thread, outermost->node, walk->pc[place], walk->exact[place] ? GP_FRAME_EXACT : 0);
        if (!outermost->node)
            return;
    }
    outermost->count = count;
}

// Whether these are the outermost frames still, of a stack that goes on inwards to `from`. The return address of a function
// that has returned is soon overwritten by a stack so deep.
static bool still_stand(const gp_thread *thread, const gp_stack_frame *from, const gp_outermost_frames *outermost) {
    if (outermost->count < GP_OUTERMOST_FRAMES || !outermost->lies_on_stack ||
        outermost->generation != atomic_load_explicit(&gp_stack_generation, memory_order_acquire) ||
        from->cfa < gp_own_stack_low(thread) || outermost->slot[outermost->count - 1] < from->cfa ||
        outermost->slot[0] >= thread->stack_high)
        return false;
    for (uint32_t i = outermost->count; i-- > 0;)
        if (gp_code_address(*(const uintptr_t *)outermost->slot[i]) != outermost->pc[i])
            return false;
    return true;
}

uint32_t gp_deep_stack_id(gp_thread *thread, const gp_stacks *stacks, gp_outermost_frames *outermost, uint32_t node) {
    const gp_stack_memo *memo = stacks->last;
    const uint32_t missing = memo->base;
    if (!node || missing == 0)
        return node;
    if (missing <= GP_OUTERMOST_FRAMES || !still_stand(thread, &memo->frames[0], outermost)) {
        outward_walk walk;
        outermost->count = 0;
        if (walk_outwards(thread, &memo->frames[0], &walk))
            keep(thread, &walk, outermost);
    }
    if (outermost->count == 0)
        return node;
    uint32_t whole = outermost->node;
    for (uint32_t i = 0; i < memo->count; i++) {
        const bool cut = i == 0 && missing > outermost->count;
        whole = gp_stack_node(
            thread, whole, memo->frames[i].at.pc,
            (uint8_t)((memo->frames[i].traits & GP_EXACT ? GP_FRAME_EXACT : 0) | (cut ? GP_FRAME_TRUNCATED : 0)));
        if (!whole)
            return node;
    }
    return whole;
}
