// The id of a stack: which of a thread's memos it is looked for in, and which of them learns it.
#include "arch.h"
#include "memo.h"
#include "memo_check.h"
#include "signal_chain.h"
#include "slow_path.h"
#include "stack.h"
#include "stack_reads.h"
#include "thread.h"

enum {
    SET_CALLERS = 3,
    COPIED_DEPTH = 48,  // a deeper memo costs more to copy than is gained
    MISSES_MOST = 8,  // after so many stacks that no set knows …
    SELDOM = 128,  // … sets, which lie in lines long out of the cache, are looked at once in so many
};

// By place and depth, and by the next callers where there are frame pointers. The choice decides the cost alone.
static uint32_t cache_set_of(const gp_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    uintptr_t hash = pc ^ sp, low = sp;
    bool own = sp >= gp_own_stack_low(thread);
    for (int i = 0; own && i < SET_CALLERS && fp >= low && fp % 8 == 0 && fp <= thread->stack_high - 16; i++) {
        const uintptr_t *frame = (const uintptr_t *)fp;
        hash = hash * 31 ^ frame[1];
        low = fp + 16;
        fp = frame[0];
    }
    _Static_assert(GP_STACK_SETS == 1 << (64 - 60), "a set for every value of the hash");
    return (uint32_t)((hash * 0x9e3779b97f4a7c15ull) >> 60);
}

static gp_stack_memo *memo_at(gp_stacks *stacks, uint32_t place) {
    gp_stack_memo *memo = &stacks->memos[place];
    if (!(stacks->begun & 1u << place))
        gp_memo_forget(memo);
    stacks->begun |= 1u << place;
    return memo;
}

// The id of the stack if one of the set's memos has it. `memo`: that one, or the one that was not used for longer.
static uint32_t look_up(gp_stacks *stacks, uint32_t set, gp_stack_memo **memo, uintptr_t pc, uintptr_t sp,
                        uintptr_t fp) {
    _Static_assert(GP_STACK_WAYS == 2 && GP_STACK_SETS * GP_STACK_WAYS <= 32, "a bit for each");
    uint32_t last = stacks->second >> set & 1;
    *memo = memo_at(stacks, 2 * set + last);
    uint32_t node = gp_stack_id_unchanged(*memo, pc, sp, fp);
    if (node)
        return node;
    stacks->second ^= 1u << set;
    *memo = memo_at(stacks, 2 * set + !last);
    return gp_stack_id_unchanged(*memo, pc, sp, fp);
}

static __attribute__((noinline)) uint32_t look_up_or_renew(gp_thread *thread, gp_stacks *stacks, uintptr_t pc,
                                                           uintptr_t sp, uintptr_t fp) {
    gp_stack_memo *memo;
    uint32_t node = look_up(stacks, cache_set_of(thread, pc, sp, fp), &memo, pc, sp, fp);
    stacks->misses = node ? 0 : stacks->misses + 1;
    if (memo != stacks->last && (node || stacks->last->count <= COPIED_DEPTH)) {
        // What has changed since the last stack is less, as a rule, than since the last one of this set.
        if (!node)
            gp_memo_copy(memo, stacks->last);
        stacks->last = memo;
    }
    return node ? node : gp_memo_renew_plainly(thread, stacks, pc, sp, fp);
}

static inline __attribute__((always_inline)) uint32_t id_anew(gp_thread *thread, gp_stacks *stacks, uintptr_t pc,
                                                              uintptr_t sp, uintptr_t fp) {
    if (stacks->misses >= MISSES_MOST && stacks->misses++ % SELDOM != 0)
        return gp_memo_renew_plainly(thread, stacks, pc, sp, fp);
    return look_up_or_renew(thread, stacks, pc, sp, fp);
}

typedef struct {
    gp_thread *thread;
    gp_stacks *stacks;
    uintptr_t pc, sp, fp;
    uint32_t id;
} request;

static void answer(void *argument) {
    request *asked = argument;
    asked->id = id_anew(asked->thread, asked->stacks, asked->pc, asked->sp, asked->fp);
}

static __attribute__((noinline)) uint32_t id_with_room(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                                       uintptr_t fp) {
    request asked = {thread, stacks, pc, sp, fp, 0};
    gp_call_with_room(answer, &asked);
    return asked.id;
}

uint32_t gp_stack_id_anew(gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    return GP_UNLIKELY(gp_stack_has_little_room()) ? id_with_room(thread, stacks, pc, sp, fp)
                                                   : id_anew(thread, stacks, pc, sp, fp);
}

uint32_t gp_stack_id_in(gp_thread *thread, gp_stacks *stacks, gp_registers start) {
    if (GP_CONTEXT_LINK_BEHIND_FP != 0 && start.link)
        return gp_memo_renew(thread, stacks, &start, false);
    uint32_t node = gp_stack_id_unchanged(stacks->last, start.pc, start.sp, start.fp);
    return node ? node : gp_stack_id_anew(thread, stacks, start.pc, start.sp, start.fp);
}

uint32_t gp_stack_id(gp_thread *thread, gp_registers start) {
    return gp_stack_id_in(thread, gp_thread_stacks(thread), start);
}

uint32_t gp_stack_id_interrupted(gp_thread *thread, gp_stacks *stacks, gp_registers at) {
    return gp_memo_renew(thread, stacks, &at, true);
}
