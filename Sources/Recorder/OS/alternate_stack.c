#include "alternate_stack.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "signal_chain.h"
#include "system.h"

enum { BYTES = 256 << 10 };

static void *_Atomic lent;  // NULL: none
static _Atomic bool has_ended;

static bool is_lent(const stack_t *stack) {
    return stack->ss_sp && stack->ss_sp == atomic_load(&lent);
}

void gp_alternate_stack_lend(void) {
    stack_t stack;
    if (atomic_load(&lent) || gp_system(sigaltstack, NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    stack = (stack_t){.ss_sp = gp_arena_allocate(BYTES), .ss_size = BYTES};
    atomic_store(&lent, stack.ss_sp);
    if (stack.ss_sp)
        gp_system(sigaltstack, &stack, NULL);
}

static void take_back(void) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t stack;
    if (gp_system(sigaltstack, NULL, &stack) == 0 && is_lent(&stack))
        gp_system(sigaltstack, &none, NULL);
}

void gp_alternate_stack_yield(const struct sigaction *action) {
    if (atomic_load(&lent) && !atomic_load(&has_ended) && action->sa_flags & SA_ONSTACK &&
        action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
        take_back();
}

void gp_alternate_stack_end(void) {
    if (atomic_load(&lent) && !atomic_exchange(&has_ended, true))
        take_back();
}

long gp_alternate_stack_set(const stack_t *stack, stack_t *old) {
    stack_t before;
    const long result = gp_system(sigaltstack, stack, &before);
    if (result == 0 && stack)
        gp_alternate_end_note(stack);
    if (result == 0 && old)
        *old = is_lent(&before) ? (stack_t){.ss_flags = SS_DISABLE} : before;
    return result;
}
