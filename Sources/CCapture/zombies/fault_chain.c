#include "fault_chain.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>
#include <unistd.h>

#include "fault.h"
#include "../recorder/system.h"
#include "zombies.h"

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

// What the program asked for: index 0 SIGSEGV, 1 SIGBUS.
static struct sigaction asked[2];
static bool begun;

static int index_of(int signal) {
    return signal == SIGSEGV ? 0 : signal == SIGBUS ? 1 : -1;
}

static bool has_handler(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void fall_back_to_default(int signal, const siginfo_t *info) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    __sigaction(signal, &plain, NULL);
    // A fault happens again as soon as the handler returns; a signal that was sent must be sent again.
    if (info->si_code <= 0)
        gp_system(tgkill, gp_system(getpid, 0), gp_system(gettid, 0), signal);
}

static void pass_on(int signal, siginfo_t *info, void *context) {
    struct sigaction *mine = &asked[index_of(signal)];
    if (!has_handler(mine)) {
        if (mine->sa_handler == SIG_IGN && info->si_code <= 0)
            return;
        fall_back_to_default(signal, info);
        return;
    }
    struct sigaction action = *mine;
    if (action.sa_flags & (int)SA_RESETHAND)
        mine->sa_handler = SIG_DFL;
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(signal, info, context);
    else
        action.sa_handler(signal);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    bool handled = info->si_code > 0 && gp_fault_seen(info, context);
    errno = saved;
    if (!handled)
        pass_on(signal, info, context);
}

// The kernel's action has the mask and the flags of the program's, so that its handler runs as it would.
static int install(int signal) {
    const struct sigaction *wanted = &asked[index_of(signal)];
    const int kept = SA_ONSTACK | SA_RESTART | SA_NODEFER;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (has_handler(wanted)) {
        action.sa_mask = wanted->sa_mask;
        action.sa_flags = SA_SIGINFO | (wanted->sa_flags & kept);
    }
    return __sigaction(signal, &action, NULL);
}

void gp_fault_chain_begin(void) {
    if (begun)
        return;
    begun = true;
    for (int i = 0; i < 2; i++) {
        int signal = i == 0 ? SIGSEGV : SIGBUS;
        __sigaction(signal, NULL, &asked[i]);
        install(signal);
    }
}

bool gp_zombies_chains(int signal) {
    return begun && index_of(signal) >= 0;
}

int gp_zombies_set_action(int signal, const struct sigaction *action, struct sigaction *old) {
    struct sigaction before = asked[index_of(signal)];
    int result = 0;
    if (action) {
        struct sigaction wanted = *action;
        asked[index_of(signal)] = wanted;
        result = install(signal);
    }
    if (old)
        *old = before;
    return result;
}
