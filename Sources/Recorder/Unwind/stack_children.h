// The nodes of the stack tree by number, each with a few of its children in a list. Numbers are given in the order in
// which the program first goes there, and it mostly goes there again in that order: what comes next lies side by side,
// and what is passed in a list, oldest first, was just used, where a hash table would miss the cache with every step.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stack_tree.h"

enum {
    GP_NODE_SEGMENT_BITS = 16,
    GP_NODE_SEGMENTS = 1 << 12,  // a stack id has 28 bits
    GP_CHILDREN_LISTED = 6,  // of one node; further children are found elsewhere
    GP_NODE_FLAGS_SHIFT = 62,  // of a key: the flags lie above pc
};

typedef struct {
    _Atomic uint64_t key;  // 0: of an image that is gone
    _Atomic uint32_t first_child, sibling;
} gp_stack_branch;

extern __attribute__((visibility("hidden"))) gp_stack_branch *_Atomic gp_stack_branches[GP_NODE_SEGMENTS];

// NULL: nothing near it was ever made.
static inline gp_stack_branch *gp_stack_branch_of(uint32_t id) {
    uint32_t segment = id >> GP_NODE_SEGMENT_BITS;
    gp_stack_branch *branches =
        segment < GP_NODE_SEGMENTS ? atomic_load_explicit(&gp_stack_branches[segment], memory_order_acquire) : NULL;
    return branches ? &branches[id & ((1u << GP_NODE_SEGMENT_BITS) - 1)] : NULL;
}

// Of a node that is in a list.
static inline gp_stack_branch *gp_stack_branch_listed(uint32_t id) {
    gp_stack_branch *branches =
        atomic_load_explicit(&gp_stack_branches[id >> GP_NODE_SEGMENT_BITS], memory_order_acquire);
    return &branches[id & ((1u << GP_NODE_SEGMENT_BITS) - 1)];
}

// The child of `parent` with this key, 0: its list has none. `end`: where its list ends, NULL: no more can be listed.
static inline uint32_t gp_stack_child(gp_stack_branch *parent, uint64_t key, _Atomic uint32_t **end) {
    *end = &parent->first_child;
    uint32_t child;
    for (unsigned passed = 0; (child = atomic_load_explicit(*end, memory_order_acquire)) != 0; passed++) {
        gp_stack_branch *branch = gp_stack_branch_listed(child);
        if (atomic_load_explicit(&branch->key, memory_order_relaxed) == key)
            return child;
        if (passed == GP_CHILDREN_LISTED - 1) {
            *end = NULL;
            return 0;
        }
        *end = &branch->sibling;
    }
    return 0;
}

// gp_stack_node, for a child that is in its parent's list, as a rule. `branch`: the parent's (NULL: not known), then the
// child's.
static inline uint32_t gp_stack_node_below(struct gp_thread *thread, uint32_t parent, uintptr_t pc, uint8_t flags,
                                           const gp_stack_branch **branch) {
    const uint64_t key = (uint64_t)flags << GP_NODE_FLAGS_SHIFT | pc;
    if (!*branch)
        *branch = gp_stack_branch_of(parent);
    uint32_t child = *branch ? atomic_load_explicit(&(*branch)->first_child, memory_order_acquire) : 0;
    // Made right after its parent, as a rule: what lies behind that need not wait for the number.
    if (__builtin_expect(child == parent + 1 && child % (1u << GP_NODE_SEGMENT_BITS) != 0, 1)) {
        ++*branch;
        if (__builtin_expect(atomic_load_explicit(&(*branch)->key, memory_order_relaxed) == key, 1))
            return child;
        child = atomic_load_explicit(&(*branch)->sibling, memory_order_acquire);
    }
    while (child) {
        *branch = gp_stack_branch_listed(child);
        if (__builtin_expect(atomic_load_explicit(&(*branch)->key, memory_order_relaxed) == key, 1))
            return child;
        child = atomic_load_explicit(&(*branch)->sibling, memory_order_acquire);
    }
    *branch = NULL;
    return gp_stack_node(thread, parent, pc, flags);
}

// Memory for the node `id`, and for the outermost one (0). NULL: there is none.
gp_stack_branch *gp_stack_branch_make(uint32_t id);

// Forgets the nodes behind `after` up to `last` whose key without flags lies in low ≤ key ≤ high. `bits`: of a key without
// its flags.
void gp_stack_branches_forget(uint32_t after, uint32_t last, uint64_t low, uint64_t high, uint64_t bits);
