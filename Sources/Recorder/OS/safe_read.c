#include "safe_read.h"

#include <stdatomic.h>
#include <string.h>

#include "arch.h"
#include "recording_state.h"

enum { PIECES_MOST = 8, PIPE_PART = 4096 };

// What process_vm_readv does, through a pipe: each write takes what it can read in one piece or nothing.
static long copy_by_pipe(const struct iovec *local, const struct iovec *remote, size_t count) {
    int ends[2];
    if (gp_system(pipe2, ends, O_CLOEXEC | O_NONBLOCK) < 0)
        return -EMFILE;
    long copied = 0;
    size_t filled = 0;  // of `local`
    for (size_t i = 0, done = 0; i < count; done = 0, i++) {
        while (done < remote[i].iov_len) {
            while (filled == local->iov_len)
                local++, filled = 0;
            const size_t left = remote[i].iov_len - done, room = local->iov_len - filled;
            size_t part = left < room ? left : room;
            part = part < PIPE_PART ? part : PIPE_PART;
            if (gp_system(write, ends[1], (uintptr_t)remote[i].iov_base + done, part) != (long)part ||
                gp_system(read, ends[0], (uintptr_t)local->iov_base + filled, part) != (long)part)
                goto end;
            done += part, filled += part, copied += (long)part;
        }
    }
end:
    gp_system(close, ends[0]);
    gp_system(close, ends[1]);
    return copied > 0 ? copied : -EFAULT;
}

// The kernel has no such call, or whoever started the program forbids it.
static bool is_absent(long result) {
    return result == -ENOSYS || result == -EPERM || result == -EACCES;
}

long gp_safe_copy(const struct iovec *local, size_t locals, const struct iovec *remote, size_t count) {
    // The first call tells, made before the program can have forbidden itself calls: later it may die of one for pipes.
    static _Atomic uint32_t state;  // 0: not known, THERE, ABSENT
    enum { THERE = 1, ABSENT };
    if (atomic_load_explicit(&state, memory_order_relaxed) != ABSENT) {
        const long process = gp_recording.process ? gp_recording.process : gp_system(getpid, 0);
        const long copied = gp_system(process_vm_readv, process, local, locals, remote, count, 0);
        uint32_t unknown = 0;
        atomic_compare_exchange_strong(&state, &unknown, is_absent(copied) ? ABSENT : THERE);
        if (!is_absent(copied) || atomic_load(&state) != ABSENT)
            return copied;
    }
    return copy_by_pipe(local, remote, count);
}

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
    long read = gp_safe_copy(local, asked, remote, asked);
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
