// Quarantining a block, inline for the hook.
#pragma once

#include "TraceFormat.h"
#include "quarantine_cache.h"
#include "options.h"
#include "poison.h"
#include "quarantine.h"

enum { GP_SLOTS_AHEAD = 8, GP_BLOCKS_AHEAD = 4 };

// Slots are used again in a known order: what is needed for the next ones is fetched meanwhile.
static inline void gp_slot_prefetch(const gp_quarantine_slot *slot) {
    __builtin_prefetch(slot + GP_SLOTS_AHEAD, 1);
    uintptr_t block = slot[GP_BLOCKS_AHEAD].address;
    gp_live_entry *place = gp_live_find(block);
    if (place) {
        __builtin_prefetch((const void *)block, 1);
        __builtin_prefetch(place, 1);
    }
}

// A slot's state is odd while it holds a block, and never the same again.
static inline bool gp_slot_is_held(const gp_quarantine_slot *slot) {
    return slot->state & 1;
}

// What the live table says of the slot's block.
static inline gp_live_entry gp_slot_entry(const gp_quarantine_slot *slot) {
    return (gp_live_entry)(gp_slot_number(slot) + 1) << 4;
}

// How many words of the block are poisoned.
static inline size_t gp_slot_words(const gp_quarantine_slot *slot) {
    if (__builtin_expect(gp_zombie_asked.keep_going, 0) && slot->type)
        return slot->size < 16 ? slot->size / 8 : 2;
    return gp_poisoned_words(slot->size);
}

// The slot's block was written to: reports it.
GP_SLOW_PATH void gp_slot_report_write(struct gp_thread *thread, gp_quarantine_slot *slot);

// Another slot has the block, or had it: two threads freed it at the same moment. Reports it. False: the slot waits, for
// that other one to give the block back.
GP_SLOW_PATH bool gp_slot_report_double_free(struct gp_thread *thread, gp_quarantine_cache *cache,
                                             gp_quarantine_slot *slot);

// The program went on after a use of the slot's block and may know its side table: the slot keeps the block, so that no
// other one is reported in its place. False: too many are kept like this; the table is taken away.
GP_SLOW_PATH bool gp_slot_keep_block(gp_quarantine_slot *slot);

static inline bool gp_slot_is_intact(const gp_quarantine_slot *slot) {
    return gp_poison_is_intact((const uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
}

// Gives the slot's block back to the allocator, without an address of the slots: the next block's would be reported in place
// of its own. False: the slot stays as it is.
static inline bool gp_slot_empty(struct gp_thread *thread, gp_quarantine_cache *cache, gp_quarantine_slot *slot,
                                 void (*give_back)(void *block)) {
    uintptr_t block = slot->address;
    gp_live_entry *place = gp_live_find(block);
    if (__builtin_expect(!place || *place != gp_slot_entry(slot), 0)) {
        return gp_slot_report_double_free(thread, cache, slot);
    }
    if (__builtin_expect(!gp_slot_is_intact(slot), 0))
        gp_slot_report_write(thread, slot);
    if (__builtin_expect(slot->flags & GP_ZOMBIE_CONTINUED, 0) && gp_slot_keep_block(slot))
        return false;
    // Before the block changes: whoever inspects it at this moment sees that it is about to leave.
    __atomic_store_n(&slot->state, slot->state + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    gp_poison_clear((uintptr_t *)block, gp_slot_words(slot));
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    cache->evicted++;
    cache->evicted_bytes += slot->size;
    give_back((void *)block);
    return true;
}

// A slot in another batch than the thread's. NULL: as gp_slot_for has it.
gp_quarantine_slot *gp_slot_of_next_batch(struct gp_thread *thread, gp_quarantine_cache *cache, uint64_t size,
                                          void (*give_back)(void *block));

// A slot for a block of this size; the oldest leave for it. NULL: the block is larger than the quarantine takes, or
// other threads are filling all batches. The caller fills all but `state` and then closes it; the same thread must ask for
// no other slot in between. `cache`: the thread's.
static inline gp_quarantine_slot *gp_slot_for(struct gp_thread *thread, gp_quarantine_cache *cache, uint64_t size,
                                              void (*give_back)(void *block)) {
    cache->room -= (int64_t)size;
    gp_quarantine_slot *slot;
    do {
        slot = cache->next;
        if (__builtin_expect(cache->room < 0 || slot == cache->end, 0)) {
            slot = gp_slot_of_next_batch(thread, cache, size, give_back);
            if (!slot)
                return NULL;
        }
        cache->next = slot + 1;
        gp_slot_prefetch(slot);
    } while (__builtin_expect(gp_slot_is_held(slot), 1) && !gp_slot_empty(thread, cache, slot, give_back));
    cache->quarantined++;
    return slot;
}

// Poisons the block of a slot and keeps it. `place`: its entry of the live table, which was `living`. False: another
// thread freed the block at the same moment and has it; this slot stays empty. Where neither sees the other both keep
// it, and the one that the entry does not name is reported when it is emptied.
static inline bool gp_slot_close(gp_quarantine_slot *slot, gp_live_entry *place, gp_live_entry living) {
    if (__builtin_expect(__atomic_load_n(place, __ATOMIC_RELAXED) != living, 0))
        return false;
    __atomic_store_n(place, gp_slot_entry(slot), __ATOMIC_RELEASE);
    gp_poison((uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
    __atomic_store_n(&slot->state, slot->state + 1, __ATOMIC_RELEASE);
    return true;
}
