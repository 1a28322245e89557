// Stacks of births and deaths, which come by turns: each turn has a memo, so that neither spoils the other's.
#ifndef GP_ZOMBIES_TURNS_H
#define GP_ZOMBIES_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "stack.h"
#include "thread.h"

enum { GP_TURNS = 16, GP_TURN_CALLERS = 3 };

typedef struct gp_turns {
    uint32_t thread;  // kernel id of the thread whose stacks these are
    gp_stack_memo memos[GP_TURNS];
} gp_turns;

// By place and depth, and by the next callers where there are frame pointers. The choice decides the cost alone.
static inline uint32_t gp_turn_of(const gp_thread *thread, gp_registers caller) {
    uintptr_t hash = caller.pc ^ caller.sp, fp = caller.fp, low = caller.sp;
    for (int i = 0; i < GP_TURN_CALLERS && fp >= low && fp % 8 == 0 && fp + 16 <= thread->stack_high; i++) {
        const uintptr_t *frame = (const uintptr_t *)fp;
        hash = hash * 31 ^ frame[1];
        low = fp + 16;
        fp = frame[0];
    }
    return (uint32_t)((hash * 0x9e3779b97f4a7c15ull) >> 56) % GP_TURNS;
}

// The stack's id. Costs what gp_stack_id costs, and is an unchanged stack's more often.
static inline uint32_t gp_turn_stack(gp_thread *thread, gp_registers caller) {
    if (__builtin_expect(!thread->turns, 0))
        thread->turns = gp_arena_allocate(sizeof *thread->turns);
    gp_turns *turns = thread->turns;
    if (!turns)
        return gp_stack_id(thread, caller);
    if (__builtin_expect(turns->thread != thread->id, 0)) {
        for (int i = 0; i < GP_TURNS; i++)
            turns->memos[i].count = 0;
        turns->thread = thread->id;
    }
    return gp_stack_id_in(thread, &turns->memos[gp_turn_of(thread, caller)], caller.pc, caller.sp, caller.fp);
}

#endif
