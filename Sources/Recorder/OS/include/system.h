// System calls made directly: they leave errno alone, which a hook inside malloc must, and no interposer sees them.
// Each returns what the kernel returns: a negative errno when it fails.
#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "arch.h"

#define GP_SYSTEM_6(number, a, b, c, d, e, f, ...)                                                                     \
    gp_system_call(SYS_##number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

// gp_system(pwrite64, fd, bytes, size, offset): up to six arguments.
#define gp_system(number, ...) GP_SYSTEM_6(number, __VA_ARGS__, 0, 0, 0, 0, 0, 0)

// Private zeroed pages, not counted against overcommit. NULL when the kernel refuses.
static inline void *gp_system_pages(size_t size) {
    long address = gp_system(mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address < 0 && address > -4096 ? NULL : (void *)address;
}
