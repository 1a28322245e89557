#include "stack_children.h"

#include "arena.h"

gp_stack_branch *_Atomic gp_stack_branches[GP_NODE_SEGMENTS];

gp_stack_branch *gp_stack_branch_make(uint32_t id) {
    uint32_t segment = id >> GP_NODE_SEGMENT_BITS;
    if (segment >= GP_NODE_SEGMENTS)
        return NULL;
    if (!atomic_load_explicit(&gp_stack_branches[segment], memory_order_acquire)) {
        gp_stack_branch *nobody = NULL;
        gp_stack_branch *fresh = gp_arena_allocate(sizeof *fresh << GP_NODE_SEGMENT_BITS);
        if (fresh)
            atomic_compare_exchange_strong(&gp_stack_branches[segment], &nobody, fresh);
    }
    return gp_stack_branch_of(id);
}

void gp_stack_branches_forget(uint32_t after, uint32_t last, uint64_t low, uint64_t high, uint64_t bits) {
    for (uint32_t id = after + 1; id <= last && id < (uint32_t)GP_NODE_SEGMENTS << GP_NODE_SEGMENT_BITS; id++) {
        gp_stack_branch *branch = gp_stack_branch_of(id);
        uint64_t place = branch ? atomic_load_explicit(&branch->key, memory_order_relaxed) & bits : 0;
        if (place && place >= low && place <= high)
            atomic_store_explicit(&branch->key, 0, memory_order_relaxed);
    }
}
