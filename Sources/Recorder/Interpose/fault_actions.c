// The program may ask for SIGSEGV, SIGBUS, SIGTRAP and the signal that stops threads as ever; where they are chained the
// kernel calls the recorder first, as it does for SIGINT and its like where the program has no action of its own. The
// signal that asks for samples stays the recorder's, and no handler of the program's blocks what none may block
// (virtual_mask.h); the program is told the actions that it set.
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/auxv.h>

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

// On an alternate stack that has no room for the frames of two signals the kernel ends a program whose handler is interrupted:
// the recorder's signals wait until the handler is done.
enum { SIGNALS = 65, MINSIGSTKSZ_ENTRY = 51 };  // AT_MINSIGSTKSZ, which older headers lack
static _Atomic bool has_tiny_stacks;
static _Atomic uint64_t added_to[SIGNALS];  // of the recorder's signals, to the mask of this signal's action

static bool is_tiny(const stack_t *stack) {
    enum { USUAL = 2048, FOR_HANDLER = 1024 };
    const uint64_t known = getauxval(MINSIGSTKSZ_ENTRY), least = known > USUAL ? known : USUAL;
    return !(stack->ss_flags & SS_DISABLE) && stack->ss_size < 2 * least + FOR_HANDLER;
}

uint64_t gp_put_off_by_handlers(void) {
    if (!atomic_load_explicit(&has_tiny_stacks, memory_order_relaxed))
        return 0;
    return gp_signal_bit(gp_stop_signal()) | (gp_sampler_is_on() ? gp_signal_bit(gp_sampler_signal()) : 0);
}

static uint64_t put_off_by(const struct sigaction *action) {
    return action && action->sa_flags & SA_ONSTACK ? gp_put_off_by_handlers() : 0;
}

static int set_action(int number, const struct sigaction *action, struct sigaction *old) {
    struct sigaction wanted;
    const uint64_t left_out_before = gp_handler_mask_left_out(number);
    uint64_t left_out = 0, put_off = 0;
    if (action) {
        wanted = *action;
        gp_termination_stand_in(number, &wanted);
        put_off = put_off_by(action);
        left_out = kept_open(&action->sa_mask) & ~put_off;
        wanted.sa_mask.__val[0] = (wanted.sa_mask.__val[0] & ~left_out) | put_off;
    }
    int result = __sigaction(number, action ? &wanted : NULL, old);
    if (result == 0 && old) {
        old->sa_mask.__val[0] = (old->sa_mask.__val[0] & ~atomic_load(&added_to[number])) | left_out_before;
        gp_termination_hide(number, old);
    }
    if (result == 0 && action)
        atomic_store(&added_to[number], put_off & ~action->sa_mask.__val[0]);
    if (result == 0 && action)
        gp_handler_mask_set(number,
                            wanted.sa_mask.__val[0] | (wanted.sa_flags & (int)SA_NODEFER ? 0 : gp_signal_bit(number)),
                            left_out);
    return result;
}

typedef struct {
    int signal, result;
    const struct sigaction *action;
    struct sigaction *old;
} request;

static void answer(void *argument) {
    request *asked = argument;
    const int signal = asked->signal;
    if (asked->action)
        gp_alternate_stack_yield(asked->action, gp_termination_is_reporter(asked->action));
    asked->result = gp_signal_is_chained(signal)
                        ? gp_signal_chain_set_action(signal, asked->action, put_off_by(asked->action), asked->old)
                    : is_kept(signal) ? keep(asked->action, asked->old)
                                      : set_action(signal, asked->action, asked->old);
}

// A handler of a crash calls it, whose stack may have little room.
GP_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    request asked = {.signal = signal, .action = action, .old = old};
    gp_call_with_room(answer, &asked);
    return asked.result;
}

// The actions that were set before have the recorder's signals wait as well.
GP_EXPORT int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
    const int result = (int)gp_result_of(gp_alternate_stack_set(stack, old));
    if (result != 0 || !stack || !is_tiny(stack) || atomic_exchange(&has_tiny_stacks, true))
        return result;
    for (int signal = 1; signal < SIGNALS; signal++) {
        struct sigaction action;
        if (sigaction(signal, NULL, &action) == 0 && action.sa_flags & SA_ONSTACK)
            sigaction(signal, &action, NULL);
    }
    return result;
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
