// The masks of signals that threads set, without the signals that none may block: virtual_mask.h.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "virtual_mask.h"
#include "kernel_signals.h"
#include "next.h"
#include "sampler.h"
#include "signal_chain.h"
#include "stop_mask.h"

// The signals that stop a thread and that ask it for a sample, or will: those that `mask` may not block.
static uint64_t own_signals(const sigset_t *mask) {
    if (!gp_mask_stays_open(mask, gp_recording_runs()))
        return 0;
    uint64_t samples =
        gp_recording_runs() ? gp_signal_bit(gp_sampler_signal()) : gp_signal_bit(SIGTRAP) | gp_signal_bit(SIGSTKFLT);
    return gp_signal_bit(gp_stop_signal()) | samples;
}

// Whatever a program asks for: the kernel lets none block these two, the C library keeps two others to itself.
static const uint64_t never_blocked = 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1) | 3ull << (32 - 1);

static uint64_t changed(uint64_t mask, int how, uint64_t named) {
    return how == SIG_SETMASK ? named : how == SIG_BLOCK ? mask | named : mask & ~named;
}

// 0 or a positive errno.
static int change_mask(int how, const sigset_t *set, sigset_t *old) {
    const uint64_t believed = gp_virtual_mask, beside = gp_virtual_mask_beside, faults = gp_signal_chain_faults();
    uint64_t wanted = 0, open = 0, before = 0;
    if (set) {
        const uint64_t asked = set->__val[0] & ~never_blocked;
        open = how == SIG_UNBLOCK ? 0 : own_signals(set) | faults;
        wanted = asked & ~open;
        // Before the change: a signal that waited for it comes at once. What is blocked beside is not known meanwhile.
        gp_virtual_mask_beside = 0;
        gp_virtual_mask = changed(believed, how, how == SIG_UNBLOCK ? asked : asked & open);
    }
    int saved = errno;
    long result = syscall(SYS_rt_sigprocmask, how, set ? &wanted : NULL, &before, sizeof before);
    int error = result < 0 ? errno : 0;
    errno = saved;
    if (error) {
        gp_virtual_mask = believed;
        gp_virtual_mask_beside = beside;
        return error;
    }
    if (set)
        gp_virtual_mask_beside = changed(before, how, wanted) & ~(open | faults);
    if (old)
        old->__val[0] = (before & ~gp_put_off_by_handlers()) | believed | gp_handler_believes(before);
    return 0;
}

#ifndef GP_PRELOADED
// Whoever started the program may have blocked every signal, and all its threads begin with that mask.
static void __attribute__((constructor(101))) open_inherited_mask(void) {
    sigset_t mask;
    if (change_mask(SIG_SETMASK, NULL, &mask) == 0)
        change_mask(SIG_SETMASK, &mask, NULL);
}
#endif

GP_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return change_mask(how, set, old);
}

GP_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int error = change_mask(how, set, old);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

GP_EXPORT int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask) {
    sigset_t wanted;
    if (mask) {
        wanted = *mask;
        wanted.__val[0] &= ~own_signals(mask);
        mask = &wanted;
    }
    __typeof__(&pthread_attr_setsigmask_np) next = GP_NEXT(pthread_attr_setsigmask_np);
    return next ? next(attributes, mask) : ENOTSUP;
}
