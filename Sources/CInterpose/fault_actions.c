// The program may ask for SIGSEGV and SIGBUS as ever; while zombies are recorded the kernel calls the recorder first.
// The signal that asks for samples stays the recorder's; the program is told the action that it set.
#include <errno.h>
#include <signal.h>

#include "defer.h"
#include "sampler.h"
#include "zombies.h"

#define EXPORT __attribute__((visibility("default")))

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);
extern __sighandler_t ssignal(int signal, __sighandler_t handler);
extern __sighandler_t __sysv_signal(int signal, __sighandler_t handler);

static struct sigaction believed_action;

static bool is_kept(int signal) {
    return gp_sampler_is_on() && signal == gp_sampler_signal();
}

static int keep(const struct sigaction *action, struct sigaction *old) {
    struct sigaction before = believed_action;
    if (action)
        believed_action = *action;
    if (old)
        *old = before;
    return 0;
}

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    GP_DEFER(gp_next.sigaction(signal, action, old));
    if (is_kept(signal))
        return keep(action, old);
    return gp_zombies_chains(signal) ? gp_zombies_set_action(signal, action, old) : __sigaction(signal, action, old);
}

static bool is_chained(int signal) {
    return gp_zombies_chains(signal) || is_kept(signal);
}

static __sighandler_t set_handler(int signal, __sighandler_t handler, int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    sigemptyset(&action.sa_mask);
    if (!(flags & SA_NODEFER))
        sigaddset(&action.sa_mask, signal);
    return sigaction(signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

// libc knows the same function as ssignal.
EXPORT __sighandler_t signal(int signal, __sighandler_t handler) {
    GP_DEFER(gp_next.signal(signal, handler));
    return is_chained(signal) ? set_handler(signal, handler, SA_RESTART) : ssignal(signal, handler);
}

EXPORT __sighandler_t bsd_signal(int number, __sighandler_t handler) {
    return signal(number, handler);
}

EXPORT __sighandler_t sysv_signal(int signal, __sighandler_t handler) {
    GP_DEFER(gp_next.sysv_signal(signal, handler));
    return is_chained(signal) ? set_handler(signal, handler, (int)(SA_RESETHAND | SA_NODEFER))
                              : __sysv_signal(signal, handler);
}
