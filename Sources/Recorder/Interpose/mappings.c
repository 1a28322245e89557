// Who maps anonymous memory: a process's memory that is not malloc's is named by its makers.
#include <sys/mman.h>

#include "arch.h"
#include "program_mappings.h"
#include "system.h"
#include "next.h"

static void *map(void *address, size_t length, int protection, int flags, int file, off_t offset, gp_registers caller) {
    const long result = gp_result_of(gp_system(mmap, address, length, protection, flags, file, offset));
    if (result != -1 && flags & MAP_FIXED)
        gp_program_unmaps((uintptr_t)result, length);
    if (result != -1 && flags & MAP_ANONYMOUS)
        gp_program_maps((uintptr_t)result, length, caller);
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
