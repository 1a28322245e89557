#include "signal_chain.h"

#include <stdatomic.h>
#include <stddef.h>
#include <ucontext.h>

#include "arena.h"
#include "switch_stack.h"
#include "system.h"
#include "virtual_mask.h"

enum { OWN_STACKS = 4, OWN_STACK_BYTES = 64 << 10, ENOUGH = 64 << 10 };

// Made when they are first needed: what lies there is no root.
static unsigned char *stacks[OWN_STACKS];
static atomic_flag taken[OWN_STACKS];

static bool is_small(const stack_t *alternate) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)alternate->ss_sp;
    return !(alternate->ss_flags & SS_DISABLE) && here - low < alternate->ss_size && alternate->ss_size < ENOUGH;
}

// While the handler is elsewhere the kernel takes the alternate stack for free, and the next signal's handler would begin
// where this one's frame lies, with SA_NODEFER of the same signal. Faults are not put off: there are none but fatal ones. A
// handler that is done returns to the mask of before.
static uint64_t put_signals_off(void) {
    uint64_t before = 0;
    uint64_t all = ~(gp_signal_bit(SIGSEGV) | gp_signal_bit(SIGBUS) | gp_signal_bit(SIGILL) | gp_signal_bit(SIGFPE));
    gp_system(rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    return before;
}

bool gp_claim_with_room(gp_signal_claim claim, siginfo_t *info, void *context) {
    if (!is_small(&((ucontext_t *)context)->uc_stack))
        return claim(info, context);
    for (unsigned i = 0; i < OWN_STACKS; i++) {
        if (atomic_flag_test_and_set(&taken[i]))
            continue;
        if (!stacks[i] && !(stacks[i] = gp_arena_allocate(OWN_STACK_BYTES))) {
            atomic_flag_clear(&taken[i]);
            break;
        }
        const uint64_t before = put_signals_off();
        bool claimed = gp_call_on_stack(stacks[i] + OWN_STACK_BYTES, claim, info, context);
        atomic_flag_clear(&taken[i]);
        if (!claimed)
            gp_system(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
        return claimed;
    }
    return claim(info, context);
}
