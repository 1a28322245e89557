#include "termination.h"

#include <stdatomic.h>
#include <stddef.h>

#include "system.h"
#include "kernel_signals.h"
#include "signal_chain.h"

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};

enum { WATCHED = sizeof watched / sizeof *watched, REQUESTS = 3 };

static void (*_Atomic finish)(void);
static gp_crash_observer *_Atomic crash;

// The second signal ends the program while the first is being answered.
static void on_signal(int signal) {
    void (*const call)(void) = atomic_load(&finish);
    gp_termination_end();
    gp_signal_reset(signal, SIG_DFL);  // also in a child made by fork while the recording ended
    gp_signal_unblock(signal);
    if (call)
        call();
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

// A fault happens again as soon as the handler returns; a trap, and a signal that was sent, is sent again.
static void on_crash(int signal, siginfo_t *info, void *context) {
    gp_signal_reset(signal, SIG_DFL);
    gp_termination_crashes(info, context);
    if (info->si_code <= 0 || signal == SIGTRAP)
        gp_system(tgkill, gp_system(getpid, 0), gp_system(gettid, 0), signal);
}

void gp_termination_aborts(void) {
    if (gp_signal_installed(SIGABRT) != (const void *)on_crash)
        is_called(NULL, NULL);
}

static bool is_crash(int signal) {
    for (size_t i = REQUESTS; i < WATCHED; i++)
        if (watched[i] == signal)
            return true;
    return false;
}

static bool is_own(const struct sigaction *action) {
    return action->sa_handler == on_signal || action->sa_sigaction == on_crash;
}

void gp_termination_begin(void (*call)(void), gp_crash_observer *call_at_crash) {
    const bool is_first = gp_system(getpid, 0) == 1;  // requests do not end it
    if (!is_first)
        atomic_store(&finish, call);
    atomic_store(&crash, call_at_crash);
    for (size_t i = is_first ? REQUESTS : 0; i < WATCHED; i++) {
        struct sigaction action;
        if (__sigaction(watched[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        gp_termination_stand_in(watched[i], &action);
        __sigaction(watched[i], &action, NULL);
    }
}

void gp_termination_end(void) {
    atomic_store(&finish, NULL);
    atomic_store(&crash, NULL);
    for (size_t i = 0; i < WATCHED; i++) {
        struct sigaction action;
        if (__sigaction(watched[i], NULL, &action) == 0 && is_own(&action))
            gp_signal_reset(watched[i], SIG_DFL);
    }
}

void gp_termination_let_crash(void) {
    atomic_store(&crash, NULL);
    for (size_t i = REQUESTS; i < WATCHED; i++)
        if (gp_signal_installed(watched[i]) == (const void *)on_crash)
            gp_signal_reset(watched[i], SIG_DFL);
}

bool gp_termination_watches(int signal) {
    for (size_t i = 0; i < WATCHED; i++)
        if (watched[i] == signal)
            return true;
    return false;
}

void gp_termination_stand_in(int signal, struct sigaction *wanted) {
    if (wanted->sa_handler != SIG_DFL || !gp_termination_watches(signal))
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
    found->sa_handler = SIG_DFL;
    found->sa_flags &= ~(int)(SA_SIGINFO | SA_ONSTACK);
}
