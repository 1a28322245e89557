// The program may ask for SIGSEGV, SIGBUS, SIGTRAP and the signal that stops threads as ever; where they are chained the
// kernel calls the recorder first, as it does for SIGINT and its like where the program has no action of its own. The
// signal that asks for samples stays the recorder's, and no handler of the program's blocks what none may block
// (virtual_mask.h); the program is told the actions that it set.
#include <errno.h>
#include <signal.h>
#include <stdint.h>

#include "alternate_stack.h"
#include "virtual_mask.h"
#include "sampler.h"
#include "signal_chain.h"
#include "stop_mask.h"
#include "termination.h"
#include "next.h"

extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);
extern __sighandler_t ssignal(int signal, __sighandler_t handler);
extern __sighandler_t __sysv_signal(int signal, __sighandler_t handler);

// What the program believes of the sampler's signal.
static struct sigaction virtual_action;

static bool is_kept(int signal) {
    return gp_sampler_is_on() && signal == gp_sampler_signal();
}

static int keep(const struct sigaction *action, struct sigaction *old) {
    const struct sigaction before = virtual_action;
    if (action)
        virtual_action = *action;
    if (old)
        *old = before;
    return 0;
}

// What a handler's mask may not block: the stop signal, and where it names nearly all signals those of faults.
static uint64_t kept_open(const sigset_t *mask) {
    sigset_t copy;
    const uint64_t stop = gp_mask_without_stop(mask, &copy) == mask ? 0 : gp_signal_bit(gp_stop_signal());
    return mask->__val[0] & (stop | (gp_mask_names_nearly_all(mask) ? gp_signal_chain_faults() : 0));
}

static int set_action(int number, const struct sigaction *action, struct sigaction *old) {
    struct sigaction wanted;
    const uint64_t left_out_before = gp_handler_mask_left_out(number);
    uint64_t left_out = 0;
    if (action) {
        wanted = *action;
        gp_termination_stand_in(number, &wanted);
        left_out = kept_open(&action->sa_mask);
        wanted.sa_mask.__val[0] &= ~left_out;
    }
    int result = __sigaction(number, action ? &wanted : NULL, old);
    if (result == 0 && old) {
        old->sa_mask.__val[0] |= left_out_before;
        gp_termination_hide(number, old);
    }
    if (result == 0 && action)
        gp_handler_mask_set(number,
                            wanted.sa_mask.__val[0] | (wanted.sa_flags & (int)SA_NODEFER ? 0 : gp_signal_bit(number)),
                            left_out);
    return result;
}

GP_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    if (action)
        gp_alternate_stack_yield(action);
    if (gp_signal_is_chained(signal))
        return gp_signal_chain_set_action(signal, action, old);
    return is_kept(signal) ? keep(action, old) : set_action(signal, action, old);
}

static bool is_chained(int signal) {
    return gp_signal_is_chained(signal) || is_kept(signal) || gp_termination_watches(signal);
}

static __sighandler_t set_handler(int signal, __sighandler_t handler, int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    sigemptyset(&action.sa_mask);
    if (!(flags & SA_NODEFER))
        sigaddset(&action.sa_mask, signal);
    return sigaction(signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

// libc knows the same function as ssignal.
GP_EXPORT __sighandler_t signal(int signal, __sighandler_t handler) {
    return is_chained(signal) ? set_handler(signal, handler, SA_RESTART) : ssignal(signal, handler);
}

GP_EXPORT __sighandler_t bsd_signal(int number, __sighandler_t handler) {
    return signal(number, handler);
}

GP_EXPORT __sighandler_t sysv_signal(int signal, __sighandler_t handler) {
    return is_chained(signal) ? set_handler(signal, handler, (int)(SA_RESETHAND | SA_NODEFER))
                              : __sysv_signal(signal, handler);
}
