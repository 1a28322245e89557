// Whether memory can be read, asked of the kernel with a call that every program may make.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "system.h"

// Whether the aligned word that holds `address` can be read now, and with it its page. One system call.
// Async-signal-safe.
static inline bool gp_is_readable(uintptr_t address) {
    // kernel/signal.c: the new mask is copied before `how` is looked at, and an unknown `how` changes nothing.
    enum { NO_SUCH_HOW = -1 };
    return gp_system(rt_sigprocmask, NO_SUCH_HOW, address & ~(uintptr_t)7, 0, 8) != -EFAULT;
}
