// A lock-free hash table of pairs of words in the recorder's own memory. It only grows, by chained segments each twice
// as large as the one before. A pair is never torn: its key is published after its value, and a reader looks at the
// key again after the value because a forgotten pair's place may be used anew.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Keys that mean the state of a place; keys of pairs are larger.
enum {
    GP_PAIR_EMPTY = 0,
    GP_PAIR_BUSY = 1,
    GP_PAIR_FORGOTTEN = 2,
};

#define GP_PAIR_WINDOW 8u

typedef struct {
    _Atomic uint64_t key;
    _Atomic uint64_t value;
} gp_pair;

typedef struct gp_pair_segment {
    struct gp_pair_segment *_Atomic next;
    uint64_t shift;  // 64 - log2(places)
    gp_pair pairs[];
} gp_pair_segment;

typedef struct {
    gp_pair_segment *_Atomic first;
    unsigned first_log2;  // places of the first segment
} gp_concurrent_map;

static inline uint64_t gp_pair_hash(uint64_t key, uint64_t match) {
    return (key ^ match * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
}

static inline gp_pair *gp_pair_window(gp_pair_segment *segment, uint64_t hash) {
    return &segment->pairs[(hash >> segment->shift) & ~(uint64_t)(GP_PAIR_WINDOW - 1)];
}

// The value as long as the key, when it is read after this, is still the same. The fence is the counterpart of the one in
// gp_pair_publish: who sees the value of a place that is used anew sees that its key is no longer the old one.
static inline uint64_t gp_pair_value(gp_pair *pair) {
    uint64_t value = atomic_load_explicit(&pair->value, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    return value;
}

// The value of the pair with `key` whose value equals `match` under `mask`; 0: there is none. A few ns.
static inline uint64_t gp_pair_find(gp_concurrent_map *table, uint64_t key, uint64_t mask, uint64_t match) {
    uint64_t hash = gp_pair_hash(key, match);
    for (gp_pair_segment *segment = atomic_load_explicit(&table->first, memory_order_acquire); segment;
         segment = atomic_load_explicit(&segment->next, memory_order_acquire)) {
        gp_pair *window = gp_pair_window(segment, hash);
        for (unsigned i = 0; i < GP_PAIR_WINDOW; i++) {
            uint64_t found = atomic_load_explicit(&window[i].key, memory_order_acquire);
            if (found == GP_PAIR_EMPTY)
                return 0;
            if (found != key)
                continue;
            uint64_t value = gp_pair_value(&window[i]);
            if ((value & mask) == match && atomic_load_explicit(&window[i].key, memory_order_relaxed) == key)
                return value;
        }
    }
    return 0;
}

// Claims a place for `key`. Returns it, or NULL and in `existing` the value of the pair that another thread stored in
// the meantime, or NULL and 0 when there is no memory. A claimed place must be published at once.
gp_pair *gp_pair_claim(gp_concurrent_map *table, uint64_t key, uint64_t mask, uint64_t match, uint64_t *existing);

static inline void gp_pair_publish(gp_pair *pair, uint64_t key, uint64_t value) {
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&pair->value, value, memory_order_relaxed);
    atomic_store_explicit(&pair->key, key, memory_order_release);
}

// Forgets every pair whose key under `bits` lies in low ≤ key < high. Reads the whole table.
void gp_pair_forget(gp_concurrent_map *table, uint64_t bits, uint64_t low, uint64_t high);
