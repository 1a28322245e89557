// A thread that blocked the stop signal could not be stopped for a snapshot. The program is told the mask that it set.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "heap.h"
#include "next.h"
#include "recording.h"

#define EXPORT __attribute__((visibility("default")))

enum { GP_KERNEL_MASK_SIZE = 8 };

// Whether this thread believes that it blocks the stop signal.
static __thread bool believed_blocked __attribute__((tls_model("initial-exec")));

// The C library keeps two signals to itself, whatever a program asks for.
static void leave_out_reserved(sigset_t *mask) {
    const unsigned long reserved = 1ul << (32 - 1) | 1ul << (33 - 1);
    mask->__val[0] &= ~reserved;
}

static void believe(int how, bool named) {
    if (how == SIG_SETMASK)
        believed_blocked = named;
    else if (named)
        believed_blocked = how == SIG_BLOCK;
}

// 0 or a positive errno.
static int change_mask(int how, const sigset_t *set, sigset_t *old) {
    bool believed = believed_blocked;
    int stop = gp_heap_stop_signal();
    bool watches = stop > 0 && gp_recording_is_on();
    sigset_t wanted;
    bool named = false;
    if (set) {
        wanted = *set;
        leave_out_reserved(&wanted);
        named = stop > 0 && sigismember(set, stop) == 1;
        if (named && watches && how != SIG_UNBLOCK)
            sigdelset(&wanted, stop);
    }
    int saved = errno;
    long result = syscall(SYS_rt_sigprocmask, how, set ? &wanted : NULL, old, GP_KERNEL_MASK_SIZE);
    int error = result < 0 ? errno : 0;
    errno = saved;
    if (error == 0 && old && believed)
        sigaddset(old, stop);
    if (error == 0 && set && watches)
        believe(how, named);
    return error;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return change_mask(how, set, old);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int error = change_mask(how, set, old);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

EXPORT int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask) {
    sigset_t wanted;
    if (mask && gp_heap_stop_signal() > 0 && gp_recording_is_on()) {
        wanted = *mask;
        sigdelset(&wanted, gp_heap_stop_signal());
        mask = &wanted;
    }
    return GP_NEXT(pthread_attr_setsigmask_np)(attributes, mask);
}
