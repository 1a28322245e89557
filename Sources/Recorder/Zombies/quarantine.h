// The quarantine: freed blocks in the order in which they were freed, poisoned, bounded by bytes and by count. The oldest leave
// first, by batches of slots: each thread quarantines in a batch of its own. What the hook of free needs is inline.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "TraceFormat.h"
#include "live_entry.h"
#include "memo_check.h"
#include "poison.h"
#include "thread.h"
#include "swift_types.h"

// What was asked of the zombies instrument: GAMEPROF_ZOMBIES, a list of words divided by semicolons.

typedef struct {
    uint64_t quarantine_bytes;  // quarantine-bytes=N
    uint32_t quarantine_count;  // quarantine-count=N
    uint32_t sample;  // sample=N: one in N objects is guarded; 0: none
    bool guard_all;  // guard
    bool no_guard;  // no-guard: no object has pages of its own
    bool keep_going;  // keep-going
    gp_type_choice guarded_types;  // guard=A|B: names with or without module
} gp_zombie_options;

extern __attribute__((visibility("hidden"))) gp_zombie_options gp_zombie_asked;

// What is known of a freed block: one line of the cache. Slots of the quarantine come first, then those of objects kept by
// unowned references (unowned_kept.h) and of guarded blocks whose pages were filled (first_word.c); guarded pages have others.
typedef struct {
    uint64_t state;  // whether it is in use, by whoever keeps the slot
    uintptr_t address;
    uint64_t size;
    uintptr_t metadata;  // its first word as it was
    uint64_t time_ns;
    uint32_t type;
    uint32_t allocated, deallocated;  // stacks
    uint32_t thread;
    uint32_t flags;  // GP_ZOMBIE_*, GP_SLOT_*
    uint32_t reports;  // how many uses of it were reported
} gp_quarantine_slot __attribute__((aligned(64)));

// Beyond the flags that a trace knows.
enum {
    GP_SLOT_REPORTED = 1u << 8,  // that its block was freed twice
    GP_SLOT_KEEPS = 1u << 9,  // its block, for good
    GP_SLOT_REVEALED = 1u << 11,  // its page, so that it can be read again
    GP_SLOT_COUNTS_MADE = 1u << 12,  // a side table stands where its count says
    GP_SLOT_SHARED = 1u << 10,  // another slot, which is used again, filled its block too
};

extern __attribute__((visibility("hidden"))) gp_quarantine_slot *gp_slots;

static inline uint32_t gp_slot_number(const gp_quarantine_slot *slot) {
    return (uint32_t)(slot - gp_slots);
}

// How many bytes of addresses so many slots take.
uint64_t gp_quarantine_space(uint32_t count_limit);

// False: the address space or memory is refused.
bool gp_quarantine_open(uint64_t byte_limit, uint32_t count_limit);

// The slot that an entry of the live table names, NULL: the entry is of a living block.
gp_quarantine_slot *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address);

// The slot with this number.
gp_quarantine_slot *gp_quarantine_slot_at(uint32_t number);

// The first of GP_UNOWNED_KEPT_MOST slots behind the others, for objects whose memory is not free yet.
uint32_t gp_quarantine_first_unowned_kept(void);

// The first of GP_REVEALED_MOST slots behind those, for blocks whose own pages were filled.
uint32_t gp_quarantine_first_revealed(void);

typedef struct {
    uint64_t quarantined, evicted, evicted_bytes, kept, kept_bytes, passed_by, byte_limit, count_limit;
} gp_quarantine_counts;

gp_quarantine_counts gp_quarantine_count(void);

// ------------------------------------------------------------------------------------- the per-thread quarantine cache

// Allocations have memos of their own stacks elsewhere: as both come by turns, each finds its last stack as it left it.
typedef struct {
    uint32_t thread;  // kernel id of the thread that frees
    uint32_t unlooked;  // how many more blocks may share a time
    uint64_t last_ns;  // the time that they share
    // The batch of the quarantine that the thread fills: its slots from `next` on, `end` NULL: none. A later thread that is
    // given this state fills it on, and counts on.
    gp_quarantine_slot *next, *end;
    int64_t room;  // how many bytes of blocks it may still take
    uint64_t quarantined, evicted, evicted_bytes, passed_by;
    gp_stacks stacks;
} gp_quarantine_cache;

GP_SLOW_PATH gp_quarantine_cache *gp_quarantine_cache_begin(gp_thread *thread);

// NULL: there is no memory.
static inline gp_quarantine_cache *gp_quarantine_cache_of(gp_thread *thread) {
    gp_quarantine_cache *cache = *gp_thread_slot(thread, GP_INSTRUMENT_ZOMBIES);
    bool begun = cache && cache->thread == thread->id;
    return __builtin_expect(begun, 1) ? cache : gp_quarantine_cache_begin(thread);
}

// A slot in another batch than the thread's. NULL: the block is larger than the quarantine takes, or other threads are filling
// all batches.
gp_quarantine_slot *gp_slot_of_next_batch(gp_thread *thread, gp_quarantine_cache *cache, uint64_t size,
                                          void (*give_back)(void *block));

// ----------------------------------------------------------------------------------------------------- inspection.c

// Looks at all blocks that are kept: reports those that were written to. Nobody may be quarantining.
void gp_quarantine_inspect(gp_thread *thread);

// The slot's block was written to: reports it.
GP_SLOW_PATH void gp_slot_report_write(gp_thread *thread, gp_quarantine_slot *slot);

// Another slot has the block, or had it: two threads freed it at the same moment. Reports it. False: the slot waits, for
// that other one to give the block back.
GP_SLOW_PATH bool gp_slot_report_double_free(gp_thread *thread, gp_quarantine_cache *cache, gp_quarantine_slot *slot);

// The program went on after a use of the slot's block and may know its side table: the slot keeps the block, so that no
// other one is reported in its place. False: too many are kept like this; the table is taken away.
GP_SLOW_PATH bool gp_slot_keep_block(gp_quarantine_slot *slot);

// ------------------------------------------------------------------------------------------------------------ a slot

// Acquires what the slot says while it has this state.
static inline uint64_t gp_slot_state(const gp_quarantine_slot *slot) {
    return __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
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

static inline bool gp_slot_is_intact(const gp_quarantine_slot *slot) {
    return gp_poison_is_intact((const uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
}

// Before the block or the slot changes: whoever inspects it at this moment and sees that change sees this before.
static inline void gp_slot_leaves(gp_quarantine_slot *slot) {
    __atomic_store_n(&slot->state, slot->state + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

// Gives the slot's block back to the allocator, without an address of the slots: the next block's would be reported in place
// of its own. False: the slot stays as it is.
static inline bool gp_slot_empty(gp_thread *thread, gp_quarantine_cache *cache, gp_quarantine_slot *slot,
                                 void (*give_back)(void *block)) {
    uintptr_t block = slot->address;
    gp_live_entry *place = gp_live_find(block);
    if (__builtin_expect(!place || *place != gp_slot_entry(slot), 0))
        return gp_slot_report_double_free(thread, cache, slot);
    if (__builtin_expect(!gp_slot_is_intact(slot), 0))
        gp_slot_report_write(thread, slot);
    if (__builtin_expect(slot->flags & GP_ZOMBIE_CONTINUED, 0) && gp_slot_keep_block(slot))
        return false;
    gp_slot_leaves(slot);
    gp_poison_clear((uintptr_t *)block, gp_slot_words(slot));
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    cache->evicted++;
    cache->evicted_bytes += slot->size;
    give_back((void *)block);
    return true;
}
