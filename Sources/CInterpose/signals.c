// A thread that blocked the recorder's signals could not be stopped for a snapshot, nor sampled. The program is told the
// mask that it set.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "defer.h"
#include "heap.h"
#include "next.h"
#include "recording.h"
#include "sampler.h"
#include "stop_mask.h"

#define EXPORT __attribute__((visibility("default")))

enum { GP_KERNEL_MASK_SIZE = 8 };

// The recorder's signals that this thread believes to block.
static __thread uint64_t believed_blocked __attribute__((tls_model("initial-exec")));

static uint64_t bit_of(int signal) {
    return signal > 0 ? 1ull << (signal - 1) : 0;
}

// The signals that stop a thread and that ask it for a sample, or will: those that `mask` may not block.
static uint64_t own_signals(const sigset_t *mask) {
    if (!gp_mask_stays_open(mask, gp_recording_runs()))
        return 0;
    uint64_t samples = gp_recording_runs() ? bit_of(gp_sampler_signal()) : bit_of(SIGTRAP) | bit_of(SIGSTKFLT);
    return bit_of(gp_heap_stop_signal()) | samples;
}

// The C library keeps two signals to itself, whatever a program asks for.
static void leave_out_reserved(sigset_t *mask) {
    const unsigned long reserved = 1ul << (32 - 1) | 1ul << (33 - 1);
    mask->__val[0] &= ~reserved;
}

// Returns the mask to be set for `set`; `believed`: what the thread then believes to block.
static sigset_t without_own(int how, const sigset_t *set, uint64_t *believed) {
    sigset_t wanted = *set;
    leave_out_reserved(&wanted);
    if (how == SIG_UNBLOCK) {
        *believed &= ~wanted.__val[0];
        return wanted;
    }
    uint64_t own = own_signals(&wanted), named = wanted.__val[0] & own;
    wanted.__val[0] &= ~own;
    *believed = how == SIG_BLOCK ? *believed | named : named;
    return wanted;
}

// 0 or a positive errno.
static int change_mask(int how, const sigset_t *set, sigset_t *old) {
    const uint64_t before = believed_blocked;
    uint64_t after = before;
    sigset_t wanted;
    if (set)
        wanted = without_own(how, set, &after);
    int saved = errno;
    long result = syscall(SYS_rt_sigprocmask, how, set ? &wanted : NULL, old, GP_KERNEL_MASK_SIZE);
    int error = result < 0 ? errno : 0;
    errno = saved;
    if (error)
        return error;
    if (old)
        old->__val[0] |= before;
    believed_blocked = after;
    return 0;
}

#ifndef GP_PRELOADED
// Whoever started the program may have blocked every signal, and all its threads begin with that mask.
static void __attribute__((constructor(101))) open_inherited_mask(void) {
    sigset_t mask;
    if (!GP_DEFERS && change_mask(SIG_SETMASK, NULL, &mask) == 0)
        change_mask(SIG_SETMASK, &mask, NULL);
}
#endif

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    GP_DEFER(gp_next.pthread_sigmask(how, set, old));
    return change_mask(how, set, old);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    GP_DEFER(gp_next.sigprocmask(how, set, old));
    int error = change_mask(how, set, old);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

EXPORT int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask) {
    sigset_t wanted;
    if (mask) {
        wanted = *mask;
        wanted.__val[0] &= ~own_signals(mask);
        mask = &wanted;
    }
    __typeof__(&pthread_attr_setsigmask_np) next = GP_NEXT(pthread_attr_setsigmask_np);
    return next ? next(attributes, mask) : ENOTSUP;
}
