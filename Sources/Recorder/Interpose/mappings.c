// Who maps memory: a process's memory that is not malloc's is named by its makers.
#include <stdarg.h>
#include <sys/mman.h>

#include "arch.h"
#include "program_mappings.h"
#include "system.h"
#include "next.h"

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

// Where the program chooses the address, or keeps half of it. The second is MAP_FIXED_NOREPLACE, which older headers lack.
#ifdef MAP_32BIT
enum { PLACED = MAP_FIXED | 0x100000 | MAP_32BIT };
#else
enum { PLACED = MAP_FIXED | 0x100000 };
#endif

static void *map(void *address, size_t length, int protection, int flags, int file, off_t offset, gp_registers caller) {
    const long result = gp_result_of(gp_system(mmap, address, length, protection, flags, file, offset));
    if (result != -1 && flags & MAP_FIXED)
        gp_program_unmaps((uintptr_t)result, length);
    if (result != -1)
        gp_program_maps((uintptr_t)result, length,
                        protection == PROT_NONE                                                  ? GP_MAPS_ADDRESSES
                        : flags & PLACED || (address && (uintptr_t)address == (uintptr_t)result) ? GP_MAPS_PLACED
                                                                                                 : GP_MAPS_MEMORY,
                        caller);
    return (void *)result;
}

GP_EXPORT void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return map(address, length, protection, flags, file, offset, GP_CALLER_REGISTERS());
}

GP_EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
    return map(address, length, protection, flags, file, offset, GP_CALLER_REGISTERS());
}

// Before, or another thread's mapping of that place might be forgotten.
GP_EXPORT int munmap(void *address, size_t length) {
    gp_program_unmaps((uintptr_t)address, length);
    return (int)gp_result_of(gp_system(munmap, address, length));
}

GP_EXPORT void *mremap(void *address, size_t length, size_t wanted, int flags, ...) {
    va_list more;
    va_start(more, flags);
    void *const fixed = flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? va_arg(more, void *) : NULL;
    va_end(more);
    const long result = gp_result_of(gp_system(mremap, address, length, wanted, flags, fixed));
    if (result == -1)
        return (void *)result;
    // A length of 0 makes a second mapping of the same pages.
    if (length > 0 && !(flags & MREMAP_DONTUNMAP))
        gp_program_unmaps((uintptr_t)address, length);
    if (flags & MREMAP_FIXED)
        gp_program_unmaps((uintptr_t)result, wanted);
    gp_program_maps((uintptr_t)result, wanted, GP_MAPS_PLACED, GP_CALLER_REGISTERS());
    return (void *)result;
}
