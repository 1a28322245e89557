// Reads memory of this process that may be gone, or may never have been: the kernel does it.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "system.h"

// Copies `size` bytes; false: not all of them are readable. One system call. Async-signal-safe.
bool gp_safe_read(uintptr_t address, void *to, size_t size);

typedef struct {
    uintptr_t address;
    void *to;
    size_t size;
} gp_safe_piece;

// Copies `count` pieces, at most 8, and returns how many: it ends at the first that is not readable. One system call.
// Async-signal-safe.
size_t gp_safe_read_pieces(const gp_safe_piece *pieces, size_t count);

// process_vm_readv of this process, also where a sandbox or an emulator refuses it: then through a pipe, piece by piece.
// `local` has room for all that `remote` names. Bytes copied, up to the first that are not readable, or a negative errno.
// Async-signal-safe.
long gp_safe_copy(const struct iovec *local, size_t locals, const struct iovec *remote, size_t count);

// Copies a text with a NUL behind it, cut to fit, and returns its length; 0: it is not readable. A system call for
// every 64 bytes. Async-signal-safe.
size_t gp_safe_text(uintptr_t address, char *to, size_t capacity);

// Whether memory can be read, asked of the kernel with a call that every program may make.

// Whether the aligned word that holds `address` can be read now, and with it its page. One system call.
// Async-signal-safe.
static inline bool gp_is_readable(uintptr_t address) {
    // kernel/signal.c: the new mask is copied before `how` is looked at, and an unknown `how` changes nothing.
    enum { NO_SUCH_HOW = -1 };
    return gp_system(rt_sigprocmask, NO_SUCH_HOW, address & ~(uintptr_t)7, 0, 8) != -EFAULT;
}
