// What a thread keeps for the deaths that it brings about. Births have memos of their own stacks elsewhere: as both come
// by turns, each finds its last stack as it left it.
#ifndef GP_ZOMBIES_DEATHS_H
#define GP_ZOMBIES_DEATHS_H

#include <stdint.h>

#include "../unwind/memo_check.h"
#include "arena.h"
#include "grave.h"
#include "thread.h"

enum { GP_DEATHS_BETWEEN_LOOKS = 8 };

typedef struct gp_deaths {
    uint32_t thread;  // kernel id of the thread whose deaths these are
    uint32_t unlooked;  // how many more deaths may share a time
    uint64_t last_ns;  // the time that they share
    // The row of the quarantine that the thread fills: its graves from `next` on, `end` NULL: none. A later thread that is
    // given this state fills it on, and counts on.
    gp_grave *next, *end;
    int64_t room;  // how many bytes of blocks it may still take
    uint64_t buried, evicted, evicted_bytes, passed_by;
    gp_stacks stacks;
} gp_deaths;

GP_SLOW_PATH gp_deaths *gp_deaths_begin(gp_thread *thread);

// NULL: there is no memory.
static inline gp_deaths *gp_deaths_of(gp_thread *thread) {
    gp_deaths *deaths = thread->deaths;
    bool begun = deaths && deaths->thread == thread->id;
    return __builtin_expect(begun, 1) ? deaths : gp_deaths_begin(thread);
}

static inline uint32_t gp_stack_of_turn(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                        uintptr_t fp) {
    uint32_t stack = gp_stack_id_unchanged(stacks->last, pc, sp, fp);
    return __builtin_expect(stack != 0, 1) ? stack : gp_stack_id_anew(thread, stacks, pc, sp, fp);
}

GP_SLOW_PATH void gp_deaths_look_at_clock(gp_deaths *deaths);

// The time of a death. While a thread is busy, and the clock stands still, it is read at every eighth.
static inline uint64_t gp_death_time(gp_deaths *deaths) {
    if (__builtin_expect(deaths->unlooked > 0, 1))
        deaths->unlooked--;
    else
        gp_deaths_look_at_clock(deaths);
    return deaths->last_ns;
}

#endif
