#include "stack_tree.h"

#include "TraceFormat.h"
#include "images.h"
#include "concurrent_hash_map.h"
#include "stack.h"
#include "stack_children.h"
#include "stack_frames.h"
#include "trace_writer.h"

// What stands in no list of children. Key: pc, flags (2 bits), the low bits of the parent. Value: id (32 bits), the
// parent's other bits.
enum { PARENT_LOW_BITS = GP_NODE_FLAGS_SHIFT - GP_USER_BITS };

#define PARENT_HIGH_MASK ((uint64_t)(UINT32_MAX >> PARENT_LOW_BITS) << 32)

static gp_concurrent_map nodes = {.first_log2 = 16};
static _Atomic uint32_t last_id;
static _Atomic uint64_t failures;

uint64_t gp_stack_failures(void) {
    return atomic_load(&failures);
}

static uint32_t next_id(void) {
    return atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
}

static void write(struct gp_thread *thread, uint32_t id, uint32_t parent, uintptr_t pc, uint8_t flags) {
    gp_frame frame = {
        .kind = GP_FRAME,
        .flags = flags,
        .pc_high = (uint16_t)(pc >> 32),
        .pc_low = (uint32_t)pc,
        .id = id,
        .parent = parent,
    };
    gp_write_cell(thread, &frame);
}

static uint32_t announce(struct gp_thread *thread, uint32_t id, uint32_t parent, uintptr_t pc, uint8_t flags) {
    gp_stack_frame_keep(id, parent, pc, flags);
    gp_images_write_pending(thread);
    write(thread, id, parent, pc, flags);
    return id;
}

// A child of a node whose list is full.
static uint32_t unlisted(struct gp_thread *thread, uint32_t parent, uintptr_t pc, uint8_t flags) {
    uint64_t key = (uint64_t)flags << GP_NODE_FLAGS_SHIFT | (uint64_t)pc << PARENT_LOW_BITS |
                   (parent & ((1u << PARENT_LOW_BITS) - 1));
    uint64_t parent_high = (uint64_t)(parent >> PARENT_LOW_BITS) << 32;
    uint64_t value = gp_pair_find(&nodes, key, PARENT_HIGH_MASK, parent_high);
    if (__builtin_expect(value != 0, 1))
        return (uint32_t)value;

    gp_pair *pair = gp_pair_claim(&nodes, key, PARENT_HIGH_MASK, parent_high, &value);
    if (!pair) {
        if (!value)
            atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
        return (uint32_t)value;
    }
    uint32_t id = next_id();
    gp_stack_branch_make(id);
    gp_pair_publish(pair, key, parent_high | id);
    return announce(thread, id, parent, pc, flags);
}

// Puts a new child at the end of a list. 0: another thread was first, or there is no memory.
static uint32_t enlist(_Atomic uint32_t *end, uint64_t key) {
    uint32_t id = next_id();
    gp_stack_branch *branch = gp_stack_branch_make(id);
    if (!branch)
        return 0;
    atomic_store_explicit(&branch->key, key, memory_order_relaxed);
    uint32_t nobody = 0;
    return atomic_compare_exchange_strong(end, &nobody, id) ? id : 0;
}

uint32_t gp_stack_node(struct gp_thread *thread, uint32_t parent, uintptr_t pc, uint8_t flags) {
    uint64_t key = (uint64_t)flags << GP_NODE_FLAGS_SHIFT | pc;
    gp_stack_branch *branch = gp_stack_branch_of(parent);
    if (__builtin_expect(!branch, 0) && !(branch = gp_stack_branch_make(parent)))
        return unlisted(thread, parent, pc, flags);
    for (;;) {
        _Atomic uint32_t *end;
        uint32_t child = gp_stack_child(branch, key, &end);
        if (__builtin_expect(child != 0, 1))
            return child;
        if (!end)
            return unlisted(thread, parent, pc, flags);
        child = enlist(end, key);
        if (child)
            return announce(thread, child, parent, pc, flags);
        if (atomic_load_explicit(end, memory_order_relaxed) == 0)
            return unlisted(thread, parent, pc, flags);
    }
}

uint32_t gp_stack_last_node(void) {
    return atomic_load_explicit(&last_id, memory_order_relaxed);
}

void gp_stack_nodes_forget(uintptr_t start, uintptr_t end, uint32_t after) {
    const uint64_t bits = ((uint64_t)1 << GP_NODE_FLAGS_SHIFT) - 1;
    gp_stack_branches_forget(after, atomic_load(&last_id), start, end, bits);
    gp_pair_forget(&nodes, bits, (uint64_t)start << PARENT_LOW_BITS, ((uint64_t)end + 1) << PARENT_LOW_BITS);
}

static void write_listed(struct gp_thread *thread, uint32_t parent) {
    const gp_stack_branch *branch = gp_stack_branch_of(parent);
    for (uint32_t id = branch ? atomic_load(&branch->first_child) : 0; id; id = atomic_load(&branch->sibling)) {
        branch = gp_stack_branch_listed(id);
        const uint64_t key = atomic_load(&branch->key), pc = key & (((uint64_t)1 << GP_NODE_FLAGS_SHIFT) - 1);
        if (key)
            write(thread, id, parent, pc, (uint8_t)(key >> GP_NODE_FLAGS_SHIFT));
    }
}

static void write_unlisted(struct gp_thread *thread, const gp_pair *pair) {
    const uint64_t key = atomic_load(&pair->key), value = atomic_load(&pair->value);
    const uint32_t low = (uint32_t)key & ((1u << PARENT_LOW_BITS) - 1);
    const uintptr_t pc = key >> PARENT_LOW_BITS & (((uintptr_t)1 << GP_USER_BITS) - 1);
    if (key > GP_PAIR_FORGOTTEN)
        write(thread, (uint32_t)value, (uint32_t)(value >> 32) << PARENT_LOW_BITS | low, pc,
              (uint8_t)(key >> GP_NODE_FLAGS_SHIFT));
}

void gp_stack_nodes_write_again(struct gp_thread *thread) {
    for (uint32_t parent = 0, last = gp_stack_last_node(); parent <= last; parent++)
        write_listed(thread, parent);
    for (gp_pair_segment *segment = atomic_load(&nodes.first); segment; segment = atomic_load(&segment->next))
        for (uint64_t i = 0; i < (uint64_t)1 << (64 - segment->shift); i++)
            write_unlisted(thread, &segment->pairs[i]);
}

void gp_stack_nodes_begin_in_child(struct gp_thread *thread) {
    gp_stack_nodes_write_again(thread);
    atomic_store(&nodes.first, NULL);
    for (uint32_t i = 0; i <= gp_stack_last_node() >> GP_NODE_SEGMENT_BITS && i < GP_NODE_SEGMENTS; i++)
        atomic_store(&gp_stack_branches[i], NULL);
}
