#include "file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "system.h"

// The limit on descriptors is not asked for: programs that forbid themselves system calls often forbid that one.
int gp_file_move_high(int descriptor) {
    static const int lowest[] = {GP_HIGH_DESCRIPTOR, 440, 220, 100, 50, 24, 12, 8};
    for (size_t i = 0; i < sizeof lowest / sizeof *lowest && lowest[i] > descriptor; i++) {
        long high = gp_system(fcntl, descriptor, F_DUPFD_CLOEXEC, lowest[i]);
        if (high < 0)
            continue;
        gp_system(close, descriptor);
        return (int)high;
    }
    return descriptor;
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
    const bool is_first = !file->inode || flags & O_CREAT;
    if (!identify(file, (int)descriptor, is_first)) {
        gp_system(close, descriptor);
        return -ESTALE;
    }
    file->descriptor = (int)descriptor;
    return descriptor;
}

bool gp_file_is_own(int descriptor) {
    struct stat status;
    return gp_system(fstat, descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
           status.st_uid == (uid_t)gp_system(geteuid, 0);
}

// Whether a folder of the path is a link that another user put into a folder that everybody can write.
static bool is_misled(char *path) {
    const uid_t user = (uid_t)gp_system(geteuid, 0);
    struct stat entry, folder = {.st_mode = 0};
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        const bool is_link = gp_system(newfstatat, AT_FDCWD, path, &entry, AT_SYMLINK_NOFOLLOW) == 0 &&
                             S_ISLNK(entry.st_mode) && entry.st_uid != user && entry.st_uid != 0;
        const bool is_planted = is_link && folder.st_mode & S_IWOTH && folder.st_uid != entry.st_uid;
        if (gp_system(newfstatat, AT_FDCWD, path, &folder, 0) < 0)
            folder.st_mode = 0;
        *slash = '/';
        if (is_planted)
            return true;
    }
    return false;
}

// What stands there already is emptied and keeps its mode. Others may have planted it: a link is not followed, and a file
// that has another name or another owner is not emptied but replaced.
long gp_file_create(gp_file *file) {
    if (is_misled(file->path))
        return -ESTALE;
    long error = open_file(file, O_CREAT | O_EXCL);
    if (error != -EEXIST)
        return error < 0 ? error : 0;
    file->inode = 0;
    error = open_file(file, O_NONBLOCK);
    if (error >= 0 && gp_file_is_own(file->descriptor))
        return gp_file_set_size(file, 0);
    gp_file_forget(file);
    if (error < 0 && error != -EACCES)
        return error;
    gp_system(unlinkat, AT_FDCWD, file->path, 0);
    error = open_file(file, O_CREAT | O_EXCL);
    return error == -EEXIST ? -EACCES : error < 0 ? error : 0;
}

long gp_file_open(gp_file *file) {
    long descriptor = open_file(file, 0);
    return descriptor < 0 ? descriptor : 0;
}

long gp_file_descriptor(gp_file *file) {
    if (file->descriptor >= 0 && identify(file, file->descriptor, false))
        return file->descriptor;
    return open_file(file, 0);
}

// A file that grows beyond RLIMIT_FSIZE brings its writer SIGXFSZ, whose default is death. The limit may change at any
// moment, so it is not compared: the signal is blocked meanwhile and what the kernel sent is taken back.
typedef struct {
    uint64_t before;  // the thread's signal mask
    bool was_pending;  // the program has one of its own to come
} gp_size_guard;

static const uint64_t size_signal = 1ull << (SIGXFSZ - 1);

static gp_size_guard hold_size_signal(void) {
    gp_size_guard guard = {.before = 0};
    gp_system(rt_sigprocmask, SIG_BLOCK, &size_signal, &guard.before, sizeof size_signal);
    uint64_t pending = 0;
    if (guard.before & size_signal)
        gp_system(rt_sigpending, &pending, sizeof pending);
    guard.was_pending = pending & size_signal;
    return guard;
}

static void let_size_signal(gp_size_guard guard, long result) {
    static const struct timespec at_once;
    if (result == -EFBIG && !guard.was_pending)
        gp_system(rt_sigtimedwait, &size_signal, NULL, &at_once, sizeof size_signal);
    if (!(guard.before & size_signal))
        gp_system(rt_sigprocmask, SIG_SETMASK, &guard.before, NULL, sizeof guard.before);
}

// One system call that may make a file longer, so often as signals interrupt it.
#define GP_GUARDED(result, call)                                                                                       \
    do {                                                                                                               \
        gp_size_guard guard = hold_size_signal();                                                                      \
        do                                                                                                             \
            result = call;                                                                                             \
        while (result == -EINTR);                                                                                      \
        let_size_signal(guard, result);                                                                                \
    } while (false)

long gp_file_write(gp_file *file, const void *bytes, size_t size, uint64_t offset) {
    long descriptor = gp_file_descriptor(file);
    if (descriptor < 0)
        return descriptor;
    while (size > 0) {
        long written;
        GP_GUARDED(written, gp_system(pwrite64, descriptor, bytes, size, offset));
        if (written <= 0)
            return written < 0 ? written : -EIO;
        bytes = (const uint8_t *)bytes + written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return 0;
}

void gp_file_append_text(int descriptor, const char *text, size_t size) {
    long written;
    GP_GUARDED(written, gp_system(write, descriptor, text, size));
}

long gp_file_reserve(gp_file *file, uint64_t offset, uint64_t size) {
    static const uint8_t zeros[4096];
    long descriptor = gp_file_descriptor(file);
    if (descriptor < 0)
        return descriptor;
    long result;
    GP_GUARDED(result, gp_system(fallocate, descriptor, 0, offset, size));
    if (result != -EOPNOTSUPP && result != -ENOSYS)
        return result;
    result = 0;
    for (uint64_t done = 0; done < size && result == 0; done += sizeof zeros)
        result = gp_file_write(file, zeros, sizeof zeros, offset + done);
    return result;
}

long gp_file_set_size(gp_file *file, uint64_t size) {
    long descriptor = gp_file_descriptor(file);
    if (descriptor < 0)
        return descriptor;
    long result;
    GP_GUARDED(result, gp_system(ftruncate, descriptor, size));
    return result;
}

void gp_file_forget(gp_file *file) {
    if (file->descriptor >= 0 && identify(file, file->descriptor, false))
        gp_system(close, file->descriptor);
    file->descriptor = -1;
}
