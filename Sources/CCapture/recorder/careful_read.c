#include "careful_read.h"

#include <string.h>
#include <sys/uio.h>

#include "system.h"

bool gp_careful_read(uintptr_t address, void *to, size_t size) {
    if (address < 65536 || address >> 47)
        return false;
    struct iovec local = {to, size}, remote = {(void *)address, size};
    return gp_system(process_vm_readv, gp_system(getpid, 0), &local, 1, &remote, 1, 0) == (long)size;
}

size_t gp_careful_text(uintptr_t address, char *to, size_t capacity) {
    enum { PART = 64 };  // a power of two: a part that begins at a multiple of it lies in one page
    size_t length = 0;
    while (length + 1 < capacity) {
        size_t part = PART - (address + length) % PART, room = capacity - 1 - length;
        part = part < room ? part : room;
        if (!gp_careful_read(address + length, to + length, part))
            break;
        size_t found = strnlen(to + length, part);
        length += found;
        if (found < part)
            break;
    }
    to[length] = 0;
    return length;
}
