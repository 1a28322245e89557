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

enum { GP_ROOM_ABOVE = 1 << 16 };

// mmap of a new place, with GP_ROOM_ABOVE bytes above it that stay without a mapping. The kernel maps directly below what it
// mapped last: without that room a thread whose stack is full would find its signal frame's place in the recorder's memory,
// and its handler would run where the program alone ends. A negative errno when the kernel refuses.
static inline long gp_system_map(size_t size, int protection, int flags, long descriptor, uint64_t offset) {
    const long address = gp_system(mmap, 0, size + GP_ROOM_ABOVE, protection, flags, descriptor, offset);
    if (address > 0 || address <= -4096)
        gp_system(munmap, (uintptr_t)address + gp_page_end(size), GP_ROOM_ABOVE);
    return address;
}

// Private zeroed pages, not counted against overcommit. NULL when the kernel refuses.
static inline void *gp_system_pages(size_t size) {
    const long address =
        gp_system_map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address < 0 && address > -4096 ? NULL : (void *)address;
}
