// What a thread keeps for the deaths that it brings about. Births have memos of their own stacks elsewhere: as both come
// by turns, each finds its last stack as it left it.
#pragma once

#include <stdint.h>

#include "memo_check.h"
#include "arena.h"
#include "quarantine_slot.h"
#include "thread.h"

enum { GP_FREES_PER_CLOCK_READ = 8 };

typedef struct gp_quarantine_cache {
    uint32_t thread;  // kernel id of the thread whose deaths these are
    uint32_t unlooked;  // how many more deaths may share a time
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

static inline uint32_t gp_stack_of_thread(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                          uintptr_t fp) {
    uint32_t stack = gp_stack_id_unchanged(stacks->last, pc, sp, fp);
    return __builtin_expect(stack != 0, 1) ? stack : gp_stack_id_anew(thread, stacks, pc, sp, fp);
}

GP_SLOW_PATH void gp_quarantine_cache_read_clock(gp_quarantine_cache *cache);

// The time of a death. While a thread is busy, and the clock stands still, it is read at every eighth.
static inline uint64_t gp_quarantine_time(gp_quarantine_cache *cache) {
    if (__builtin_expect(cache->unlooked > 0, 1))
        cache->unlooked--;
    else
        gp_quarantine_cache_read_clock(cache);
    return cache->last_ns;
}
