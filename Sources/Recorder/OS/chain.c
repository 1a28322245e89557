#include "arch.h"
#include "signal_chain.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "alternate_stack.h"
#include "safe_read.h"
#include "system.h"
#include "virtual_mask.h"
#include "kernel_signals.h"
#include "termination.h"

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

typedef struct {
    int signal;  // 0: none yet
    int flags;  // of the kernel's action while the program has no handler
    bool needs_room;  // to be claimed
    bool comes_often;  // a next one may be due before the handler's first instruction
    bool
        always_restarts;  // interrupted calls, whatever the program asked for: it has not asked for the recorder's signals
    gp_signal_claim claim;  // NULL: not begun
    gp_signal_claim ends;
    struct sigaction asked;  // the program's
    uint64_t put_off;  // until its handler is done, beside what it asked for
} chained_signal;

static chained_signal chained[] = {
    {.signal = SIGSEGV, .flags = SA_ONSTACK, .needs_room = true},
    {.signal = SIGBUS, .flags = SA_ONSTACK, .needs_room = true},
    {.signal = SIGTRAP, .flags = SA_RESTART, .needs_room = true, .comes_often = true},
    {.flags = SA_RESTART, .always_restarts = true},  // the one that stops threads
};

static chained_signal *chained_of(int signal) {
    for (size_t i = 0; i < sizeof chained / sizeof *chained; i++)
        if (chained[i].signal == signal)
            return &chained[i];
    return NULL;
}

static bool has_handler(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void fall_back_to_default(const chained_signal *mine, siginfo_t *info, void *context) {
    int signal = mine->signal;
    if (info->si_code > 0 && mine->ends)
        gp_claim_with_room(mine->ends, info, context);
    gp_termination_crashes(info, context);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    __sigaction(signal, &plain, NULL);
    // A fault happens again as soon as the handler returns; a trap, and a signal that was sent, must be sent again.
    if (info->si_code <= 0 || signal == SIGTRAP)
        gp_system(tgkill, gp_system(getpid, 0), gp_system(gettid, 0), signal);
}

// Calls that the kernel makes again after a handler with SA_RESTART. It steps back to the instruction for that: one that is
// about to be made for the first time looks the same, and may be cut short as well.
static bool is_restarted(long number) {
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
#ifdef SYS_open
    case SYS_open:
#endif
    case SYS_openat:
    case SYS_ioctl:
    case SYS_fcntl:
    case SYS_flock:
    case SYS_futex:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_mq_timedsend:
    case SYS_mq_timedreceive:
    case SYS_getrandom:
        return true;
    default:
        return false;
    }
}

// Has the call that the program's handler interrupted return to the program.
static void cut_short(ucontext_t *context) {
    const uintptr_t pc = gp_context_pc(context);
    uint8_t code[GP_CALL_BYTES];
    if (!is_restarted(gp_context_call_number(context)) || !gp_safe_read(pc, code, sizeof code) ||
        !gp_code_calls_system(code))
        return;
    context->GP_CONTEXT_RESULT = -EINTR;
    context->GP_CONTEXT_PC = pc + GP_CALL_BYTES;
}

typedef void handler(int signal, siginfo_t *info, void *context);

// The program's handler, which is about to be called. One that takes the number alone does not look at the rest.
static handler *take_handler(chained_signal *mine) {
    handler *const called = mine->asked.sa_sigaction;
    if (mine->asked.sa_flags & (int)SA_RESETHAND)
        mine->asked.sa_handler = SIG_DFL;
    return called;
}

// Does what the program asked for, or returns the handler that is still to be called.
static handler *pass_on(chained_signal *mine, siginfo_t *info, void *context) {
    const bool needs_stack = info->si_code > 0 && mine->asked.sa_flags & SA_ONSTACK;
    if (!has_handler(&mine->asked) || (needs_stack && gp_alternate_stack_was_needed(info, context))) {
        if (mine->asked.sa_handler != SIG_IGN || info->si_code > 0)
            fall_back_to_default(mine, info, context);
        return NULL;
    }
    const uint64_t own = gp_signal_bit(mine->signal);
    const int flags = mine->asked.sa_flags;
    if (mine->comes_often && flags & SA_NODEFER && !(((ucontext_t *)context)->uc_sigmask.__val[0] & own))
        gp_system(rt_sigprocmask, SIG_UNBLOCK, &own, NULL, sizeof own);
    gp_termination_before(&mine->asked, info, context);
    handler *const called = take_handler(mine);
    if (!mine->always_restarts || flags & SA_RESTART)
        return called;
    called(mine->signal, info, context);
    cut_short(context);
    return NULL;
}

// A signal that was sent waits until the thread unblocks it, or until one that does not block it takes it: from here on it
// is blocked indeed.
static void keep_pending(int signal, siginfo_t *info, ucontext_t *context) {
    uint64_t bit = gp_signal_bit(signal);
    gp_system(rt_sigprocmask, SIG_BLOCK, &bit, NULL, sizeof bit);
    sigaddset(&context->uc_sigmask, signal);
    long process = gp_system(getpid, 0);
    if (info->si_code == SI_TKILL)
        gp_system(rt_tgsigqueueinfo, process, gp_system(gettid, 0), signal, info);
    else
        gp_system(rt_sigqueueinfo, process, signal, info);
}

// What the kernel does with a blocked signal. It ends the program where the signal is of a fault.
static void happen_blocked(const chained_signal *mine, siginfo_t *info, void *context) {
    if (info->si_code > 0)
        fall_back_to_default(mine, info, context);
    else
        keep_pending(mine->signal, info, context);
}

static bool is_blocked(int signal, const ucontext_t *context) {
    const uint64_t real = context->uc_sigmask.__val[0];
    return gp_believes_blocked(signal, real) || gp_handler_believes(real) & gp_signal_bit(signal);
}

// NULL: no handler is to be called.
static handler *handler_of(int signal, siginfo_t *info, void *context) {
    const int saved = errno;
    chained_signal *mine = chained_of(signal);
    const bool handled = mine->needs_room ? gp_claim_with_room(mine->claim, info, context) : mine->claim(info, context);
    errno = saved;
    if (handled)
        return NULL;
    if (!is_blocked(signal, context))
        return pass_on(mine, info, context);
    happen_blocked(mine, info, context);
    return NULL;
}

static void on_signal_with_room(int signal, siginfo_t *info, void *context) {
    handler *const called = handler_of(signal, info, context);
    if (called)
        __attribute__((musttail)) return called(signal, info, context);
}

static void on_fault_without_room(int signal, siginfo_t *info, void *context) {
    chained_signal *mine = chained_of(signal);
    if (has_handler(&mine->asked) && !is_blocked(signal, context))
        __attribute__((musttail)) return take_handler(mine)(signal, info, context);
    __attribute__((musttail)) return on_signal_with_room(signal, info, context);
}

// The program's handler begins where the kernel would have had it begin. One that faults itself (SA_NODEFER) fills its
// alternate stack until the kernel ends the program; frames of the recorder between its own would reach below that stack,
// where the kernel takes it for free, and the handler would begin anew for ever.
static void on_signal(int signal, siginfo_t *info, void *context) {
    enum { LEAST_ROOM = 384 };
    if (info->si_code > 0 && signal != SIGTRAP && gp_signal_stack_room(context) < LEAST_ROOM)
        __attribute__((musttail)) return on_fault_without_room(signal, info, context);
    __attribute__((musttail)) return on_signal_with_room(signal, info, context);
}

// The kernel's action has the mask and the flags of the program's, so that its handler runs as it would. A signal that comes often is
// blocked until the program's handler is called: one frame on the other would fill a small alternate stack.
static int install(const chained_signal *mine) {
    const int kept = SA_ONSTACK | SA_RESTART | SA_NODEFER;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | mine->flags};
    sigemptyset(&action.sa_mask);
    if (has_handler(&mine->asked)) {
        action.sa_mask = mine->asked.sa_mask;
        action.sa_mask.__val[0] |= mine->put_off;
        action.sa_flags = SA_SIGINFO | (mine->asked.sa_flags & kept) | (mine->always_restarts ? SA_RESTART : 0);
        if (mine->comes_often)
            action.sa_flags &= ~SA_NODEFER;
    }
    return __sigaction(mine->signal, &action, NULL);
}

// libc copies a whole mask of which the kernel knows the first word alone. What its stack showed behind that would be a root
// in a program that links the recorder.
static void forget_rest_of_mask(struct sigaction *action) {
    uint64_t known;
    memcpy(&known, &action->sa_mask, sizeof known);
    memset(&action->sa_mask, 0, sizeof action->sa_mask);
    memcpy(&action->sa_mask, &known, sizeof known);
}

void gp_signal_chain_begin(int signal, gp_signal_claim claim, gp_signal_claim ends) {
    chained_signal *mine = chained_of(signal);
    if (!mine)
        mine = chained_of(0);
    if (!mine || mine->claim)
        return;
    mine->signal = signal;
    __sigaction(signal, NULL, &mine->asked);
    gp_termination_hide(signal, &mine->asked);
    forget_rest_of_mask(&mine->asked);
    mine->ends = ends;
    __atomic_store_n(&mine->claim, claim, __ATOMIC_RELEASE);  // who finds it chained finds what the program asked for
    install(mine);
}

bool gp_signal_is_chained(int signal) {
    const chained_signal *mine = chained_of(signal);
    return mine && __atomic_load_n(&mine->claim, __ATOMIC_ACQUIRE);
}

bool gp_signal_chain_is_first(int signal) {
    return gp_signal_installed(signal) == (const void *)on_signal;
}

uint64_t gp_signal_chain_faults(void) {
    uint64_t faults = 0;
    for (size_t i = 0; i < sizeof chained / sizeof *chained; i++)
        if (chained[i].claim && (chained[i].signal == SIGSEGV || chained[i].signal == SIGBUS))
            faults |= gp_signal_bit(chained[i].signal);
    return faults;
}

static bool is_ignored(const chained_signal *mine) {
    return mine->claim && mine->asked.sa_handler == SIG_IGN;
}

void gp_signal_chain_hand_on(void) {
    for (size_t i = 0; i < sizeof chained / sizeof *chained; i++)
        if (is_ignored(&chained[i]))
            __sigaction(chained[i].signal, &chained[i].asked, NULL);
}

void gp_signal_chain_resume(void) {
    for (size_t i = 0; i < sizeof chained / sizeof *chained; i++)
        if (is_ignored(&chained[i]))
            install(&chained[i]);
}

int gp_signal_chain_set_action(int signal, const struct sigaction *action, uint64_t put_off, struct sigaction *old) {
    chained_signal *mine = chained_of(signal);
    const struct sigaction before = mine->asked;
    int result = 0;
    if (action) {
        const struct sigaction wanted = *action;
        mine->asked = wanted;
        mine->put_off = put_off;
        forget_rest_of_mask(&mine->asked);
        result = install(mine);
    }
    if (old)
        *old = before;
    return result;
}
