#include "sampled_blocks.h"

#include "arena.h"
#include "lock.h"

typedef struct {
    gp_block block;
    uint32_t next;  // in the bucket, or of the free ones; 0: none
} node;

uint64_t gp_sampled_marks[GP_SAMPLED_BUCKETS / 64];
static uint32_t buckets[GP_SAMPLED_BUCKETS];  // index of the first node
static node *nodes;  // 0 is none; only as many are touched as ever lived at once
static uint32_t used, free_nodes;
static gp_lock lock;  // samples are rare

// With the lock.
static void mark(uint32_t bucket) {
    uint64_t *marks = &gp_sampled_marks[bucket / 64];
    const uint64_t bit = 1ull << bucket % 64;
    __atomic_store_n(marks, buckets[bucket] ? *marks | bit : *marks & ~bit, __ATOMIC_RELAXED);
}

static uint32_t new_node(void) {
    if (!nodes)
        nodes = gp_arena_allocate(GP_SAMPLED_MOST * sizeof *nodes);
    if (!nodes)
        return 0;
    const uint32_t recycled = free_nodes;
    if (recycled) {
        free_nodes = nodes[recycled].next;
        return recycled;
    }
    return used + 1 < GP_SAMPLED_MOST ? ++used : 0;
}

bool gp_sampled_put(const gp_block *block) {
    const uint32_t bucket = gp_sampled_bucket(block->address);
    gp_lock_enter(&lock);
    const uint32_t made = new_node();
    if (made) {
        nodes[made] = (node){*block, buckets[bucket]};
        buckets[bucket] = made;
        mark(bucket);
    }
    gp_lock_leave(&lock);
    return made != 0;
}

bool gp_sampled_take(uintptr_t address, gp_block *block) {
    const uint32_t bucket = gp_sampled_bucket(address);
    gp_lock_enter(&lock);
    uint32_t *place = &buckets[bucket];
    while (*place && nodes[*place].block.address != address)
        place = &nodes[*place].next;
    const uint32_t found = *place;
    if (found) {
        *block = nodes[found].block;
        *place = nodes[found].next;
        nodes[found].next = free_nodes;
        free_nodes = found;
        mark(bucket);
    }
    gp_lock_leave(&lock);
    return found != 0;
}

size_t gp_sampled_copy(uint32_t bucket, gp_block *list, size_t capacity) {
    size_t count = 0;
    if (!(__atomic_load_n(&gp_sampled_marks[bucket / 64], __ATOMIC_RELAXED) >> bucket % 64 & 1))
        return 0;
    gp_lock_enter(&lock);
    for (uint32_t place = buckets[bucket]; place && count < capacity; place = nodes[place].next)
        list[count++] = nodes[place].block;
    gp_lock_leave(&lock);
    return count;
}

bool gp_sampled_each(bool (*visit)(const gp_block *block, void *context), void *context) {
    enum { PATIENCE_NS = 100000000 };
    if (!gp_lock_try(&lock) && !gp_lock_wait(&lock, PATIENCE_NS))
        return false;
    for (uint32_t bucket = 0; bucket < GP_SAMPLED_BUCKETS; bucket++)
        for (uint32_t place = buckets[bucket]; place; place = nodes[place].next)
            (void)visit(&nodes[place].block, context);
    gp_lock_leave(&lock);
    return true;
}
