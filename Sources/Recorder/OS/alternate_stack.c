#include "alternate_stack.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "arena.h"
#include "signal_chain.h"
#include "system.h"
#include "thread_stack.h"

// So much has pages of its own in the arena. None is protected: a filter of system calls may forbid that.
enum { BYTES = 256 << 10 };

static _Atomic bool lends;
static _Atomic bool has_ended;
static __thread void *lent __attribute__((tls_model("initial-exec")));  // to this thread; NULL: none

static bool is_lent(const stack_t *stack) {
    return stack->ss_sp && stack->ss_sp == lent;
}

bool gp_alternate_stack_lends(void) {
    return atomic_load(&lends) && !atomic_load(&has_ended);
}

void gp_alternate_stack_lend(void **stack) {
    stack_t now;
    if (!gp_alternate_stack_lends() || lent || gp_system(sigaltstack, NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    if (!*stack)
        *stack = gp_arena_allocate(BYTES);
    if (!*stack)
        return;
    lent = *stack;
    now = (stack_t){.ss_sp = lent, .ss_size = BYTES};
    gp_system(sigaltstack, &now, NULL);
}

void gp_alternate_stack_begin(void) {
    static void *first;
    if (!atomic_exchange(&lends, true))
        gp_alternate_stack_lend(&first);
}

static void take_back(void) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t stack;
    if (gp_system(sigaltstack, NULL, &stack) == 0 && is_lent(&stack))
        gp_system(sigaltstack, &none, NULL);
}

void gp_alternate_stack_yield(const struct sigaction *action, bool is_reporter) {
    if (!atomic_load(&lends) || atomic_load(&has_ended) || !(action->sa_flags & SA_ONSTACK) ||
        action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)
        return;
    if (!is_reporter)
        atomic_store(&lends, false);
    take_back();
}

bool gp_alternate_stack_was_needed(const siginfo_t *info, const ucontext_t *context) {
    return is_lent(&context->uc_stack) &&
           gp_thread_stack_overflows((uint32_t)gp_system(gettid, 0), (uintptr_t)info->si_addr, gp_context_sp(context));
}

void gp_alternate_stack_end(void) {
    if (!atomic_exchange(&has_ended, true))
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
