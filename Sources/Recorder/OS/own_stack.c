#include "signal_chain.h"

#include <stdatomic.h>
#include <stddef.h>
#include <ucontext.h>

#include "arena.h"
#include "switch_stack.h"
#include "system.h"
#include "virtual_mask.h"

enum { OWN_STACKS = 16, OWN_STACK_BYTES = 64 << 10, ENOUGH = 64 << 10 };

// Made when they are first needed: what lies there is no root.
static unsigned char *stacks[OWN_STACKS];
static atomic_flag taken[OWN_STACKS];

// While the handler is elsewhere the kernel takes the alternate stack for free, and the next signal's handler would begin
// where this one's frame lies, with SA_NODEFER of the same signal. Faults are not put off: there are none but fatal ones. A
// handler that is done returns to the mask of before.
static uint64_t put_signals_off(void) {
    uint64_t before = 0;
    uint64_t all = ~(gp_signal_bit(SIGSEGV) | gp_signal_bit(SIGBUS) | gp_signal_bit(SIGILL) | gp_signal_bit(SIGFPE));
    gp_system(rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    return before;
}

// The number of a free stack; OWN_STACKS: there is none.
static unsigned take_stack(void) {
    for (unsigned i = 0; i < OWN_STACKS; i++) {
        if (atomic_flag_test_and_set(&taken[i]))
            continue;
        if (stacks[i] || (stacks[i] = gp_arena_allocate(OWN_STACK_BYTES)))
            return i;
        atomic_flag_clear(&taken[i]);
        break;
    }
    return OWN_STACKS;
}

bool gp_claim_with_room(gp_signal_claim claim, siginfo_t *info, void *context) {
    const unsigned stack = gp_signal_stack_room(context) < ENOUGH ? take_stack() : OWN_STACKS;
    if (stack == OWN_STACKS)
        return claim(info, context);
    const uint64_t before = put_signals_off();
    const bool claimed = gp_call_on_stack(stacks[stack] + OWN_STACK_BYTES, claim, info, context);
    atomic_flag_clear(&taken[stack]);
    if (!claimed)
        gp_system(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    return claimed;
}

__thread gp_alternate_bounds gp_alternate_end __attribute__((tls_model("initial-exec")));
__thread const gp_switched_stack *gp_switched_from __attribute__((tls_model("initial-exec")));

void gp_alternate_end_note(const stack_t *alternate) {
    const size_t size = alternate->ss_flags & SS_DISABLE ? 0 : alternate->ss_size;
    gp_alternate_end = (gp_alternate_bounds){(uintptr_t)alternate->ss_sp, size < ENOUGH ? size : ENOUGH};
}

typedef struct {
    void (*function)(void *argument);
    void *argument;
} call;

static bool make(siginfo_t *info, void *context) {
    (void)info;
    const call *wanted = context;
    wanted->function(wanted->argument);
    return true;
}

void gp_call_with_room(void (*function)(void *argument), void *argument) {
    const unsigned stack = gp_stack_has_little_room() ? take_stack() : OWN_STACKS;
    if (stack == OWN_STACKS) {
        function(argument);
        return;
    }
    gp_switched_stack here = {.at = GP_CALLER_REGISTERS(), .sp = GP_PRESERVED_SP()};
    gp_read_preserved(here.registers);
    const uint64_t before = put_signals_off();
    gp_switched_from = &here;
    gp_call_on_stack(stacks[stack] + OWN_STACK_BYTES, make, NULL, &(call){function, argument});
    gp_switched_from = NULL;
    atomic_flag_clear(&taken[stack]);
    gp_system(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}
