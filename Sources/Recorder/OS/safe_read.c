#include "safe_read.h"

#include <string.h>
#include <sys/uio.h>

#include "arch.h"
#include "recording_state.h"
#include "system.h"

enum { PIECES_MOST = 8 };

size_t gp_safe_read_pieces(const gp_safe_piece *pieces, size_t count) {
    struct iovec local[PIECES_MOST], remote[PIECES_MOST];
    size_t asked = 0, whole = 0;
    for (; asked < count && asked < PIECES_MOST; asked++) {
        const gp_safe_piece *piece = &pieces[asked];
        if (piece->address < 65536 || piece->address >> GP_USER_BITS)
            break;
        local[asked] = (struct iovec){piece->to, piece->size};
        remote[asked] = (struct iovec){(void *)piece->address, piece->size};
    }
    if (asked == 0)
        return 0;
    const long process = gp_recording.process ? gp_recording.process : gp_system(getpid, 0);
    long read = gp_system(process_vm_readv, process, local, asked, remote, asked, 0);
    while (whole < asked && read >= (long)pieces[whole].size)
        read -= (long)pieces[whole++].size;
    return whole;
}

bool gp_safe_read(uintptr_t address, void *to, size_t size) {
    const gp_safe_piece piece = {address, to, size};
    return gp_safe_read_pieces(&piece, 1) == 1;
}

size_t gp_safe_text(uintptr_t address, char *to, size_t capacity) {
    enum { PART = 64 };  // a power of two: a part that begins at a multiple of it lies in one page
    size_t length = 0;
    while (length + 1 < capacity) {
        size_t part = PART - (address + length) % PART, room = capacity - 1 - length;
        part = part < room ? part : room;
        if (!gp_safe_read(address + length, to + length, part))
            break;
        size_t found = strnlen(to + length, part);
        length += found;
        if (found < part)
            break;
    }
    to[length] = 0;
    return length;
}
