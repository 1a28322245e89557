#include "termination.h"

#include <stdatomic.h>
#include <stddef.h>

#include "system.h"
#include "kernel_signals.h"

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};

enum { WATCHED = sizeof watched / sizeof *watched };

static void (*_Atomic finish)(void);

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

void gp_termination_begin(void (*call)(void)) {
    if (gp_system(getpid, 0) == 1)
        return;
    atomic_store(&finish, call);
    for (size_t i = 0; i < WATCHED; i++) {
        struct sigaction action;
        if (__sigaction(watched[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        gp_termination_stand_in(watched[i], &action);
        __sigaction(watched[i], &action, NULL);
    }
}

void gp_termination_end(void) {
    atomic_store(&finish, NULL);
    for (size_t i = 0; i < WATCHED; i++) {
        struct sigaction action;
        if (__sigaction(watched[i], NULL, &action) == 0 && action.sa_handler == on_signal)
            gp_signal_reset(watched[i], SIG_DFL);
    }
}

bool gp_termination_watches(int signal) {
    for (size_t i = 0; i < WATCHED; i++)
        if (watched[i] == signal)
            return true;
    return false;
}

void gp_termination_stand_in(int signal, struct sigaction *wanted) {
    if (wanted->sa_handler != SIG_DFL || !atomic_load(&finish) || !gp_termination_watches(signal))
        return;
    wanted->sa_handler = on_signal;
    wanted->sa_flags &= ~(int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
}

void gp_termination_hide(int signal, struct sigaction *found) {
    if (gp_termination_watches(signal) && found->sa_handler == on_signal)
        found->sa_handler = SIG_DFL;
}
