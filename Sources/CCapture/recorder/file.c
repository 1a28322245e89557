#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "system.h"

enum { GP_HIGH_DESCRIPTOR = 900 };

int gp_file_move_high(int descriptor) {
    struct rlimit limit;
    int lowest = GP_HIGH_DESCRIPTOR;
    if (gp_system(prlimit64, 0, RLIMIT_NOFILE, 0, &limit) == 0 && limit.rlim_cur < GP_HIGH_DESCRIPTOR + 64)
        lowest = limit.rlim_cur > 16 ? (int)limit.rlim_cur - 8 : 3;
    long high = gp_system(fcntl, descriptor, F_DUPFD_CLOEXEC, lowest);
    if (high < 0)
        return descriptor;
    gp_system(close, descriptor);
    return (int)high;
}

static bool identify(gp_file *file, int descriptor, bool remember) {
    struct stat status;
    if (gp_system(fstat, descriptor, &status) < 0 || !S_ISREG(status.st_mode))
        return false;
    if (remember) {
        file->device = status.st_dev;
        file->inode = status.st_ino;
    }
    return file->device == status.st_dev && file->inode == status.st_ino;
}

static long open_file(gp_file *file, int flags) {
    long descriptor = gp_system(openat, AT_FDCWD, file->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    if (descriptor < 0)
        return descriptor;
    descriptor = gp_file_move_high((int)descriptor);
    if (!identify(file, (int)descriptor, flags & O_CREAT)) {
        gp_system(close, descriptor);
        return -ESTALE;
    }
    file->descriptor = (int)descriptor;
    return descriptor;
}

long gp_file_create(gp_file *file) {
    long descriptor = open_file(file, O_CREAT | O_TRUNC);
    return descriptor < 0 ? descriptor : 0;
}

long gp_file_descriptor(gp_file *file) {
    if (file->descriptor >= 0 && identify(file, file->descriptor, false))
        return file->descriptor;
    return open_file(file, 0);
}

static bool within_limit(uint64_t end) {
    struct rlimit limit;
    return gp_system(prlimit64, 0, RLIMIT_FSIZE, 0, &limit) < 0 || end <= limit.rlim_cur;
}

long gp_file_write(gp_file *file, const void *bytes, size_t size, uint64_t offset) {
    if (!within_limit(offset + size))
        return -EFBIG;
    long descriptor = gp_file_descriptor(file);
    if (descriptor < 0)
        return descriptor;
    while (size > 0) {
        long written = gp_system(pwrite64, descriptor, bytes, size, offset);
        if (written == -EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? written : -EIO;
        bytes = (const uint8_t *)bytes + written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return 0;
}

long gp_file_reserve(gp_file *file, uint64_t offset, uint64_t size) {
    static const uint8_t zeros[4096];
    if (!within_limit(offset + size))
        return -EFBIG;
    long descriptor = gp_file_descriptor(file);
    if (descriptor < 0)
        return descriptor;
    long result;
    do
        result = gp_system(fallocate, descriptor, 0, offset, size);
    while (result == -EINTR);
    if (result != -EOPNOTSUPP && result != -ENOSYS)
        return result;
    result = 0;
    for (uint64_t done = 0; done < size && result == 0; done += sizeof zeros)
        result = gp_file_write(file, zeros, sizeof zeros, offset + done);
    return result;
}

void gp_file_forget(gp_file *file) {
    if (file->descriptor >= 0 && identify(file, file->descriptor, false))
        gp_system(close, file->descriptor);
    file->descriptor = -1;
}
