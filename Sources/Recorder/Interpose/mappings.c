// Who maps anonymous memory: a process's memory that is not malloc's is named by its makers.
#include <errno.h>
#include <sys/mman.h>

#include "arch.h"
#include "program_mappings.h"
#include "system.h"

#define EXPORT __attribute__((visibility("default")))

static long result_of(long answer) {
    if (answer < 0 && answer > -4096) {
        errno = (int)-answer;
        return -1;
    }
    return answer;
}

static void *map(void *address, size_t length, int protection, int flags, int file, off_t offset, gp_registers caller) {
    const long answer = gp_system(mmap, address, length, protection, flags, file, offset);
    const long result = result_of(answer);
    if (result != -1 && flags & MAP_FIXED)
        gp_program_unmaps((uintptr_t)result, length);
    if (result != -1 && flags & MAP_ANONYMOUS)
        gp_program_maps((uintptr_t)result, length, caller);
    return (void *)result;
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return map(address, length, protection, flags, file, offset, GP_CALLER_REGISTERS());
}

EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
    return map(address, length, protection, flags, file, offset, GP_CALLER_REGISTERS());
}

// Before, or another thread's mapping of that place might be forgotten.
EXPORT int munmap(void *address, size_t length) {
    gp_program_unmaps((uintptr_t)address, length);
    return (int)result_of(gp_system(munmap, address, length));
}
