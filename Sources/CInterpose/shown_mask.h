// While another program takes over from this thread, or is started by it: the thread really blocks what it believes to.
#ifndef GP_SHOWN_MASK_H
#define GP_SHOWN_MASK_H

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "believed_mask.h"

// The real mask, for gp_hide_mask.
static inline uint64_t gp_show_mask(void) {
    uint64_t real = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &gp_believed_mask, &real, sizeof real);
    return real;
}

static inline void gp_hide_mask(uint64_t real) {
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &real, NULL, sizeof real);
}

#endif
