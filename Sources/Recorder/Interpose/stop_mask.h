// Masks of signals without the recorder's own: a thread that blocked the stop signal could not be stopped.
#pragma once

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel_signals.h"
#include "recording.h"
#include "virtual_mask.h"

// Threads and handlers that want no signal at all have such masks, as libdispatch's workers do.
static inline bool gp_mask_names_nearly_all(const sigset_t *mask) {
    enum { NEARLY_ALL = 48 };
    return __builtin_popcountll(mask->__val[0]) >= NEARLY_ALL;
}

// Whether a mask is kept free of the recorder's signals. A program that links the recorder may begin to record at any time:
// before that the masks that name nearly all signals are.
static inline bool gp_mask_stays_open(const sigset_t *mask, bool is_recording) {
#ifdef GP_PRELOADED
    (void)mask;
    return is_recording || gp_recording_is_dormant;
#else
    return is_recording || gp_recording_is_dormant || gp_mask_names_nearly_all(mask);
#endif
}

// `mask` without the stop signal, stored in `copy`; `mask` itself when it need not stay open or does not name the signal.
static inline const sigset_t *gp_mask_without_stop(const sigset_t *mask, sigset_t *copy) {
    int stop = gp_stop_signal();
    if (!mask || !stop || sigismember(mask, stop) != 1 || !gp_mask_stays_open(mask, gp_recording_decided_on()))
        return mask;
    *copy = *mask;
    sigdelset(copy, stop);
    return copy;
}

// The recorder's signals that handlers on small alternate stacks block without the program's knowing, a bit each.
uint64_t gp_put_off_by_handlers(void);

// While this thread starts another or a program, or a program takes over from it: it really blocks what it believes to.

// `believed`: of gp_virtual_mask. Returns the real mask, for gp_hide_mask.
static inline uint64_t gp_show_mask(uint64_t believed) {
    uint64_t real = 0;
    const uint64_t put_off = gp_put_off_by_handlers() & ~believed;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &believed, &real, sizeof real);
    if (real & put_off)
        syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &put_off, NULL, sizeof put_off);
    return real;
}

static inline void gp_hide_mask(uint64_t real) {
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &real, NULL, sizeof real);
}
