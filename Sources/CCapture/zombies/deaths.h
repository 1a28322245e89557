// What a thread keeps for the deaths that it brings about. Births have memos of their own stacks elsewhere: as both come
// by turns, each finds its last stack as it left it.
#ifndef GP_ZOMBIES_DEATHS_H
#define GP_ZOMBIES_DEATHS_H

#include <stdint.h>

#include "../unwind/memo_check.h"
#include "arena.h"
#include "thread.h"

enum { GP_DEATHS_BETWEEN_LOOKS = 8 };

typedef struct gp_deaths {
    uint32_t thread;  // kernel id of the thread whose deaths these are
    uint32_t unlooked;  // how many more deaths may share a time
    uint64_t last_ns;  // the time that they share
    uint64_t evicted_bytes;  // that the thread gave back; counted on by a later thread that is given this state
    gp_stacks stacks;
} gp_deaths;

// NULL: there is no memory.
static inline gp_deaths *gp_deaths_of(gp_thread *thread) {
    if (__builtin_expect(!thread->deaths, 0))
        thread->deaths = gp_arena_allocate(sizeof *thread->deaths);
    gp_deaths *deaths = thread->deaths;
    if (__builtin_expect(deaths && deaths->thread != thread->id, 0)) {
        gp_stacks_begin(&deaths->stacks);
        deaths->unlooked = 0;
        deaths->thread = thread->id;
    }
    return deaths;
}

static inline uint32_t gp_stack_of_turn(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                        uintptr_t fp) {
    uint32_t stack = gp_stack_id_unchanged(stacks->last, pc, sp, fp);
    return __builtin_expect(stack != 0, 1) ? stack : gp_stack_id_anew(thread, stacks, pc, sp, fp);
}

// The time of a death. While a thread is busy, and the clock stands still, it is read at every eighth.
static inline uint64_t gp_death_time(gp_deaths *deaths) {
    if (__builtin_expect(deaths->unlooked > 0, 1)) {
        deaths->unlooked--;
        return deaths->last_ns;
    }
    uint64_t now = gp_coarse_ns();
    if (now == deaths->last_ns)
        deaths->unlooked = GP_DEATHS_BETWEEN_LOOKS;
    deaths->last_ns = now;
    return now;
}

#endif
