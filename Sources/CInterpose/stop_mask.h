// Masks of signals without the recorder's own: a thread that blocked the stop signal could not be stopped.
#ifndef GP_STOP_MASK_H
#define GP_STOP_MASK_H

#include <signal.h>
#include <stddef.h>

#include "heap.h"
#include "recording.h"

// `mask` without the stop signal, stored in `copy`; `mask` itself when nothing is recorded or it does not name the signal.
static inline const sigset_t *gp_mask_without_stop(const sigset_t *mask, sigset_t *copy) {
    int stop = gp_heap_stop_signal();
    if (!mask || stop <= 0 || !gp_recording_is_on() || sigismember(mask, stop) != 1)
        return mask;
    *copy = *mask;
    sigdelset(copy, stop);
    return copy;
}

#endif
