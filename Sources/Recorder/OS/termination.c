#include "termination.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "alternate_stack.h"
#include "system.h"
#include "kernel_signals.h"
#include "signal_chain.h"

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};

enum { WATCHED = sizeof watched / sizeof *watched, REQUESTS = 3 };

static void (*_Atomic finish)(int signal);
static gp_crash_observer *_Atomic crash;
static void (*_Atomic reporter)(int signal, siginfo_t *info, void *context);  // NULL: none was met

// The second signal ends the program while the first is being answered.
static void on_signal(int signal) {
    void (*const call)(int) = atomic_load(&finish);
    gp_termination_end();
    gp_signal_reset(signal, SIG_DFL);  // also in a child made by fork while the recording ended
    gp_signal_unblock(signal);
    if (call)
        call(signal);
    gp_system(tgkill, gp_system(getpid, 0), gp_system(gettid, 0), signal);
}

static bool is_called(siginfo_t *info, void *context) {
    gp_crash_observer *const call = atomic_exchange(&crash, NULL);
    if (call)
        call(info, context);
    return false;
}

void gp_termination_crashes(siginfo_t *info, void *context) {
    gp_claim_with_room(is_called, info, context);
}

// The Swift runtime's handler prints a backtrace and gives the signal its default action: what it leaves behind, and what its
// helper writes into the program's memory, is no root. Its mask tells it: all signals but those that it is called for.
bool gp_termination_is_reporter(const struct sigaction *action) {
    static const uint64_t called_for = 1 << (SIGQUIT - 1) | 1 << (SIGABRT - 1) | 1 << (SIGBUS - 1) | 1 << (SIGFPE - 1) |
                                       1 << (SIGILL - 1) | 1 << (SIGSEGV - 1) | 1 << (SIGTRAP - 1);
    static const uint64_t put_off = 1 << (SIGHUP - 1) | 1 << (SIGINT - 1) | 1 << (SIGTERM - 1) | 1 << (SIGUSR1 - 1) |
                                    1 << (SIGUSR2 - 1) | 1 << (SIGPIPE - 1) | 1 << (SIGALRM - 1) | 1 << (SIGCHLD - 1) |
                                    1 << (SIGTSTP - 1) | 1 << (SIGPROF - 1) | 1 << (SIGWINCH - 1);
    const int flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER;
    return (action->sa_flags & (flags | (int)SA_RESETHAND | SA_RESTART)) == flags &&
           (action->sa_mask.__val[0] & (called_for | put_off)) == put_off;
}

// A fault happens again as soon as the handler returns; a trap, and a signal that was sent, is sent again.
static void on_crash(int signal, siginfo_t *info, void *context) {
    gp_signal_reset(signal, SIG_DFL);
    gp_termination_crashes(info, context);
    if (info->si_code <= 0 || signal == SIGTRAP)
        gp_system(tgkill, gp_system(getpid, 0), gp_system(gettid, 0), signal);
}

// Not every signal that a reporter is called for ends the program: one that was sent, and a trap, are over when it returns.
static bool ends_after_report(int signal, const siginfo_t *info) {
    if (signal == SIGABRT)
        return info->si_code == SI_TKILL && info->si_pid == gp_system(getpid, 0);
    return info->si_code > 0 && signal != SIGTRAP;
}

void gp_termination_before(const struct sigaction *action, siginfo_t *info, void *context) {
    if (gp_termination_is_reporter(action) && ends_after_report(info->si_signo, info))
        gp_termination_crashes(info, context);
}

static void give_back(int signal, struct sigaction *action) {
    action->sa_sigaction = atomic_load(&reporter);
    __sigaction(signal, action, NULL);
}

static void on_reported_crash(int signal, siginfo_t *info, void *context) {
    const int saved = errno;
    struct sigaction action;
    __sigaction(signal, NULL, &action);
    give_back(signal, &action);
    gp_termination_before(&action, info, context);
    errno = saved;
    if (gp_alternate_stack_was_needed(info, context))
        gp_signal_reset(signal, SIG_DFL);  // the fault happens again
    else
        action.sa_sigaction(signal, info, context);
}

static void call_once(void *nothing) {
    (void)nothing;
    is_called(NULL, NULL);
}

void gp_termination_aborts(void) {
    const void *const installed = gp_signal_installed(SIGABRT);
    if (installed != (const void *)on_crash && installed != (const void *)on_reported_crash)
        gp_call_with_room(call_once, NULL);
}

static bool is_crash(int signal) {
    for (size_t i = REQUESTS; i < WATCHED; i++)
        if (watched[i] == signal)
            return true;
    return false;
}

static bool is_own(const struct sigaction *action) {
    return action->sa_handler == on_signal || action->sa_sigaction == on_crash ||
           action->sa_sigaction == on_reported_crash;
}

// Ends the recorder's part in a signal.
static void leave(int signal) {
    struct sigaction action;
    if (__sigaction(signal, NULL, &action) != 0 || !is_own(&action))
        return;
    if (action.sa_sigaction == on_reported_crash)
        give_back(signal, &action);
    else
        gp_signal_reset(signal, SIG_DFL);
}

static bool stands_before_reporter(const struct sigaction *action) {
    void (*none)(int, siginfo_t *, void *) = NULL;
    return gp_termination_is_reporter(action) &&
           (atomic_compare_exchange_strong(&reporter, &none, action->sa_sigaction) || none == action->sa_sigaction);
}

void gp_termination_begin(void (*call)(int signal), gp_crash_observer *call_at_crash) {
    const bool is_first = gp_system(getpid, 0) == 1;  // requests do not end it
    if (!is_first)
        atomic_store(&finish, call);
    atomic_store(&crash, call_at_crash);
    gp_alternate_stack_begin();
    for (size_t i = is_first ? REQUESTS : 0; i < WATCHED; i++) {
        struct sigaction action;
        if (gp_signal_is_chained(watched[i]) || __sigaction(watched[i], NULL, &action) != 0)
            continue;
        const void *const before = action.sa_sigaction;
        gp_termination_stand_in(watched[i], &action);
        if (action.sa_sigaction != before)
            __sigaction(watched[i], &action, NULL);
    }
}

void gp_termination_end(void) {
    atomic_store(&finish, NULL);
    atomic_store(&crash, NULL);
    for (size_t i = 0; i < WATCHED; i++)
        leave(watched[i]);
}

void gp_termination_let_crash(void) {
    atomic_store(&crash, NULL);
    for (size_t i = REQUESTS; i < WATCHED; i++)
        leave(watched[i]);
}

bool gp_termination_watches(int signal) {
    for (size_t i = 0; i < WATCHED; i++)
        if (watched[i] == signal)
            return true;
    return false;
}

void gp_termination_stand_in(int signal, struct sigaction *wanted) {
    if (!gp_termination_watches(signal))
        return;
    if (is_crash(signal) && atomic_load(&crash) && stands_before_reporter(wanted))
        wanted->sa_sigaction = on_reported_crash;
    if (wanted->sa_handler != SIG_DFL)
        return;
    if (is_crash(signal)) {
        if (!atomic_load(&crash))
            return;
        wanted->sa_sigaction = on_crash;
        wanted->sa_flags = SA_SIGINFO | SA_ONSTACK;
        return;
    }
    if (!atomic_load(&finish))
        return;
    wanted->sa_handler = on_signal;
    wanted->sa_flags &= ~(int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
}

void gp_termination_hide(int signal, struct sigaction *found) {
    if (!gp_termination_watches(signal) || !is_own(found))
        return;
    if (found->sa_sigaction == on_reported_crash) {
        found->sa_sigaction = atomic_load(&reporter);
        return;
    }
    found->sa_handler = SIG_DFL;
    found->sa_flags &= ~(int)(SA_SIGINFO | SA_ONSTACK);
}
