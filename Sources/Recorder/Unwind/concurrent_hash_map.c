#include "concurrent_hash_map.h"

#include "arch.h"
#include "arena.h"

// A place is busy for the few instructions between claim and publication. Its owner may be the very thread that a
// signal handler interrupted, so nobody waits for ever: after this many looks the place counts as another key's, and
// at worst the same key is stored twice.
enum { PATIENCE = 1000 };

static gp_pair_segment *segment_after(gp_pair_segment *_Atomic *link, unsigned log2) {
    gp_pair_segment *segment = atomic_load_explicit(link, memory_order_acquire);
    if (segment)
        return segment;
    gp_pair_segment *fresh = gp_arena_allocate(sizeof(gp_pair_segment) + (sizeof(gp_pair) << log2));
    if (!fresh)
        return NULL;
    fresh->shift = 64 - log2;
    if (atomic_compare_exchange_strong(link, &segment, fresh))
        return fresh;
    return segment;
}

static uint64_t settled_key(gp_pair *pair) {
    uint64_t key = atomic_load_explicit(&pair->key, memory_order_acquire);
    for (int looks = 0; key == GP_PAIR_BUSY && looks < PATIENCE; looks++) {
        gp_pause();
        key = atomic_load_explicit(&pair->key, memory_order_acquire);
    }
    return key;
}

gp_pair *gp_pair_claim(gp_concurrent_map *table, uint64_t key, uint64_t mask, uint64_t match, uint64_t *existing) {
    uint64_t hash = gp_pair_hash(key, match);
    *existing = 0;
again:;
    gp_pair *candidate = NULL;
    uint64_t candidate_key = GP_PAIR_EMPTY;
    gp_pair_segment *_Atomic *link = &table->first;
    for (unsigned log2 = table->first_log2;; log2++) {
        gp_pair_segment *segment = atomic_load_explicit(link, memory_order_acquire);
        if (!segment) {
            if (candidate)
                break;
            segment = segment_after(link, log2);
            if (!segment)
                return NULL;
        }
        gp_pair *window = gp_pair_window(segment, hash);
        for (unsigned i = 0; i < GP_PAIR_WINDOW; i++) {
            uint64_t found = settled_key(&window[i]);
            if (found == key) {
                uint64_t value = gp_pair_value(&window[i]);
                if ((value & mask) == match && atomic_load_explicit(&window[i].key, memory_order_relaxed) == key) {
                    *existing = value;
                    return NULL;
                }
            } else if ((found == GP_PAIR_EMPTY || found == GP_PAIR_FORGOTTEN) && !candidate) {
                candidate = &window[i];
                candidate_key = found;
            }
            if (found == GP_PAIR_EMPTY)
                goto claim;
        }
        link = &segment->next;
    }
claim:
    if (atomic_compare_exchange_strong(&candidate->key, &candidate_key, GP_PAIR_BUSY))
        return candidate;
    goto again;
}

void gp_pair_forget(gp_concurrent_map *table, uint64_t bits, uint64_t low, uint64_t high) {
    for (gp_pair_segment *segment = atomic_load(&table->first); segment; segment = atomic_load(&segment->next)) {
        for (uint64_t i = 0; i < (uint64_t)1 << (64 - segment->shift); i++) {
            uint64_t key = atomic_load_explicit(&segment->pairs[i].key, memory_order_relaxed);
            if ((key & bits) >= low && (key & bits) < high)
                atomic_compare_exchange_strong(&segment->pairs[i].key, &key, GP_PAIR_FORGOTTEN);
        }
    }
}
