// While this thread starts another or a program, or a program takes over from it: it really blocks what it believes to.
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "virtual_mask.h"

// `believed`: of gp_virtual_mask. Returns the real mask, for gp_hide_mask.
static inline uint64_t gp_show_mask(uint64_t believed) {
    uint64_t real = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &believed, &real, sizeof real);
    return real;
}

static inline void gp_hide_mask(uint64_t real) {
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &real, NULL, sizeof real);
}
