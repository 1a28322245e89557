// Masks of signals without the recorder's own: a thread that blocked the stop signal could not be stopped.
#ifndef GP_STOP_MASK_H
#define GP_STOP_MASK_H

#include <signal.h>
#include <stddef.h>

#include "heap.h"
#include "recording.h"

// Whether a mask is kept free of the recorder's signals. A program that links the recorder may begin to record at any time:
// before that the masks of threads that want no signal at all are, as libdispatch's workers have them.
static inline bool gp_mask_stays_open(const sigset_t *mask, bool is_recording) {
#ifdef GP_PRELOADED
    (void)mask;
    return is_recording;
#else
    enum { NEARLY_ALL = 48 };
    return is_recording || __builtin_popcountll(mask->__val[0]) >= NEARLY_ALL;
#endif
}

// `mask` without the stop signal, stored in `copy`; `mask` itself when it need not stay open or does not name the signal.
static inline const sigset_t *gp_mask_without_stop(const sigset_t *mask, sigset_t *copy) {
    int stop = gp_heap_stop_signal();
    if (!mask || sigismember(mask, stop) != 1 || !gp_mask_stays_open(mask, gp_recording_is_on()))
        return mask;
    *copy = *mask;
    sigdelset(copy, stop);
    return copy;
}

#endif
