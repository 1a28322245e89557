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

#define EXPORT __attribute__((visibility("default")))

enum { GP_KERNEL_MASK_SIZE = 8 };

// The recorder's signals that this thread believes to block.
static __thread uint64_t believed_blocked __attribute__((tls_model("initial-exec")));

static uint64_t bit_of(int signal) {
    return signal > 0 ? 1ull << (signal - 1) : 0;
}

// The signals that stop a thread and that ask it for a sample: those that no thread may block.
static uint64_t own_signals(void) {
    return gp_recording_runs() ? bit_of(gp_heap_stop_signal()) | bit_of(gp_sampler_signal()) : 0;
}

// The C library keeps two signals to itself, whatever a program asks for.
static void leave_out_reserved(sigset_t *mask) {
    const unsigned long reserved = 1ul << (32 - 1) | 1ul << (33 - 1);
    mask->__val[0] &= ~reserved;
}

static void believe(int how, uint64_t named) {
    if (how == SIG_SETMASK)
        believed_blocked = named;
    else if (how == SIG_BLOCK)
        believed_blocked |= named;
    else
        believed_blocked &= ~named;
}

// 0 or a positive errno.
static int change_mask(int how, const sigset_t *set, sigset_t *old) {
    const uint64_t believed = believed_blocked, own = own_signals();
    sigset_t wanted;
    uint64_t named = 0;
    if (set) {
        wanted = *set;
        leave_out_reserved(&wanted);
        named = wanted.__val[0] & own;
        if (how != SIG_UNBLOCK)
            wanted.__val[0] &= ~own;
    }
    int saved = errno;
    long result = syscall(SYS_rt_sigprocmask, how, set ? &wanted : NULL, old, GP_KERNEL_MASK_SIZE);
    int error = result < 0 ? errno : 0;
    errno = saved;
    if (error == 0 && old)
        old->__val[0] |= believed;
    if (error == 0 && set && own)
        believe(how, named);
    return error;
}

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
    const uint64_t own = own_signals();
    if (mask && own) {
        wanted = *mask;
        wanted.__val[0] &= ~own;
        mask = &wanted;
    }
    __typeof__(&pthread_attr_setsigmask_np) next = GP_NEXT(pthread_attr_setsigmask_np);
    return next ? next(attributes, mask) : ENOTSUP;
}
