#include "TraceFormat.h"
#include "arch.h"
#include "rule_cache.h"
#include "stack.h"
#include "stack_reads.h"
#include "stack_tree.h"
#include "step.h"
#include "thread.h"

typedef struct {
    gp_stack_reads reads;
    gp_frame_state state;
} walk;

static walk walk_from(gp_registers start) {
    return (walk){gp_stack_reads_at(gp_thread_current(), start.sp),
                  {start.pc, start.sp, start.fp, 0, false, 0, start.link}};
}

// Steps out of the current frame. False: it is the last one, or (`is_known` is false) none at all.
static bool step_out(walk *walk, bool *is_known) {
    const gp_rule rule = gp_rule_at(NULL, walk->state.pc, walk->state.exact);
    *is_known = rule != 0;
    const gp_step_result result = rule ? gp_step(&walk->state, rule, &walk->reads) : GP_STEP_LOST;
    return result != GP_STEP_END && result != GP_STEP_LOST;
}

size_t gp_stack_unwind(gp_registers start, uintptr_t *pcs, uintptr_t *cfas, size_t capacity) {
    walk walk = walk_from(start);
    size_t count = 0;
    for (bool more = true; more && count < capacity;) {
        const uintptr_t pc = walk.state.pc;
        bool is_known;
        more = step_out(&walk, &is_known);
        if (!is_known)
            break;
        if (pcs)
            pcs[count] = pc;
        if (cfas)
            cfas[count] = walk.state.sp;
        count++;
    }
    return count;
}

size_t gp_stack_unwind_ends(gp_registers start, gp_stack_ends *ends, size_t most) {
    walk walk = walk_from(start);
    size_t count = 0;
    for (bool more = true, is_known = true; more && count < most;) {
        const uintptr_t pc = walk.state.pc;
        more = step_out(&walk, &is_known);
        if (!is_known)
            break;
        if (count < GP_STACK_INNER)
            ends->inner[count] = pc;
        ends->outer[count++ % GP_STACK_OUTER] = pc;
    }
    return count;
}

uint32_t gp_stack_id_of_ends(struct gp_thread *thread, const gp_stack_ends *ends, size_t count) {
    uint32_t node = 0;
    for (size_t i = 0; i < GP_STACK_OUTER; i++)
        node = gp_stack_node(thread, node, ends->outer[(count - 1 - i) % GP_STACK_OUTER], 0);
    for (size_t i = GP_STACK_INNER; i-- > 0;)
        node = gp_stack_node(thread, node, ends->inner[i], i == GP_STACK_INNER - 1 ? GP_FRAME_TRUNCATED : 0);
    return node;
}
