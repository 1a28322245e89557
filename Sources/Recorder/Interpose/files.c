// Functions that open, close, read and write descriptors: each calls the C library's own and then has the call counted, so that
// errno, cancellation and signals are as without. Calls that the C library makes of itself do not come here: a stream
// is counted where the program gives to it or takes from it.
#ifdef GP_PRELOADED
#define __NO_INLINE__ 1  // the headers' own bodies of these functions
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "next.h"
#include "runtime_message.h"

// Fortified programs call these; the headers do not declare them.
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
ssize_t __read_chk(int descriptor, void *bytes, size_t size, size_t room);
ssize_t __pread_chk(int descriptor, void *bytes, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int descriptor, void *bytes, size_t size, off64_t offset, size_t room);
ssize_t __recv_chk(int descriptor, void *bytes, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int descriptor, void *bytes, size_t size, size_t room, int flags, struct sockaddr *address,
                       socklen_t *length);
size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *stream);
char *__fgets_chk(char *text, size_t room, int size, FILE *stream);

// clang-format off
#define EACH_FUNCTION(_) \
    _(read) _(pread) _(pread64) _(readv) _(preadv) _(preadv64) _(preadv2) _(preadv64v2) _(write) _(pwrite) \
    _(pwrite64) _(writev) _(pwritev) _(pwritev64) _(pwritev2) _(pwritev64v2) _(recv) _(recvfrom) _(recvmsg) \
    _(recvmmsg) _(send) _(sendto) _(sendmsg) _(sendmmsg) _(sendfile) _(sendfile64) _(splice) _(copy_file_range) \
    _(fsync) _(fdatasync) _(__read_chk) _(__pread_chk) _(__pread64_chk) _(__recv_chk) _(__recvfrom_chk) \
    _(__fread_chk) _(__fgets_chk) _(fread) _(fread_unlocked) _(fwrite) _(fwrite_unlocked) _(fgets) \
    _(fgets_unlocked) _(fputs) _(fputs_unlocked) _(getline) _(getdelim) _(open) _(open64) _(openat) _(openat64) \
    _(creat) _(creat64) _(__open_2) _(__open64_2) _(__openat_2) _(__openat64_2) _(mkstemp) _(mkstemp64) \
    _(mkostemp) _(mkostemp64) _(mkstemps) _(mkstemps64) _(mkostemps) _(mkostemps64) _(shm_open) _(memfd_create) \
    _(socket) _(socketpair) _(accept) _(accept4) _(connect) _(pipe) _(pipe2) _(eventfd) _(epoll_create) _(epoll_create1) \
    _(timerfd_create) _(signalfd) _(inotify_init) _(inotify_init1) _(dup) _(dup2) _(dup3) _(fcntl) _(fcntl64) \
    _(close) _(closefrom) _(close_range) _(fopen) _(fopen64) _(freopen) _(freopen64) _(tmpfile) _(tmpfile64) \
    _(fclose) _(pclose) _(opendir) _(closedir)
// clang-format on

#define FIELD(name) __typeof__(&name) name;
static struct { EACH_FUNCTION(FIELD) } next;

// Looked up when the library is loaded: some of these are called in signal handlers.
#define NEXT(name) (next.name ? next.name : (next.name = GP_NEXT(name)))
#define FIND(name) NEXT(name);
static void __attribute__((constructor(101))) find_next(void) {
    EACH_FUNCTION(FIND)
}

// Where the C library has no such function.
#define HAS(name) (__builtin_expect(NEXT(name) != NULL, 1))

// What the call behind it needs: its caller is the program.
#define CALL(failed) ((gp_file_call){GP_CALLER_REGISTERS(), began, (failed) ? errno : 0})

// Makes the call, and returns where it is not counted. What follows has its `result`, and when it `began`.
#define COUNTED(type, name, arguments)                                                                                 \
    if (!gp_files_are_recorded())                                                                                      \
        return NEXT(name) arguments;                                                                                   \
    uint64_t began = gp_file_ticks();                                                                                  \
    type const result = NEXT(name) arguments;

// The same of a call that the C library may not have.
#define COUNTED_IF_KNOWN(type, name, arguments)                                                                        \
    if (!HAS(name)) {                                                                                                  \
        errno = ENOSYS;                                                                                                \
        return -1;                                                                                                     \
    }                                                                                                                  \
    COUNTED(type, name, arguments)

// A function with variable arguments keeps all registers that may hold some: the stack of a handler may have no room for
// those that hold vectors.
#define WITHOUT_VECTORS __attribute__((target("general-regs-only")))

// A function that the C library has under two names, of one type where off_t has 64 bits.
#define UNDER_BOTH(FUNCTION, name, name64, ...) FUNCTION(name, __VA_ARGS__) FUNCTION(name64, __VA_ARGS__)

// A function that carries bytes of one descriptor and returns their number.
#define TRANSFER(name, operation, descriptor, parameters, arguments)                                                   \
    GP_EXPORT ssize_t name parameters {                                                                                \
        COUNTED_IF_KNOWN(ssize_t, name, arguments)                                                                     \
        gp_file_transferred(descriptor, operation, result > 0 ? (uint64_t)result : 0, CALL(result < 0));               \
        return result;                                                                                                 \
    }

TRANSFER(read, GP_FILE_READ, file, (int file, void *bytes, size_t size), (file, bytes, size))
TRANSFER(__read_chk, GP_FILE_READ, file, (int file, void *bytes, size_t size, size_t limit), (file, bytes, size, limit))
UNDER_BOTH(TRANSFER, pread, pread64, GP_FILE_READ, file, (int file, void *bytes, size_t size, off_t offset),
           (file, bytes, size, offset))
UNDER_BOTH(TRANSFER, __pread_chk, __pread64_chk, GP_FILE_READ, file,
           (int file, void *bytes, size_t size, off_t offset, size_t limit), (file, bytes, size, offset, limit))
TRANSFER(readv, GP_FILE_READ, file, (int file, const struct iovec *parts, int count), (file, parts, count))
UNDER_BOTH(TRANSFER, preadv, preadv64, GP_FILE_READ, file,
           (int file, const struct iovec *parts, int count, off_t offset), (file, parts, count, offset))
UNDER_BOTH(TRANSFER, preadv2, preadv64v2, GP_FILE_READ, file,
           (int file, const struct iovec *parts, int count, off_t offset, int flags),
           (file, parts, count, offset, flags))
TRANSFER(recv, GP_FILE_READ, file, (int file, void *bytes, size_t size, int flags), (file, bytes, size, flags))
TRANSFER(__recv_chk, GP_FILE_READ, file, (int file, void *bytes, size_t size, size_t limit, int flags),
         (file, bytes, size, limit, flags))
TRANSFER(recvfrom, GP_FILE_READ, file,
         (int file, void *restrict bytes, size_t size, int flags, struct sockaddr *restrict address,
          socklen_t *restrict length),
         (file, bytes, size, flags, address, length))
TRANSFER(__recvfrom_chk, GP_FILE_READ, file,
         (int file, void *bytes, size_t size, size_t limit, int flags, struct sockaddr *address, socklen_t *length),
         (file, bytes, size, limit, flags, address, length))
TRANSFER(recvmsg, GP_FILE_READ, file, (int file, struct msghdr *message, int flags), (file, message, flags))

TRANSFER(write, GP_FILE_WRITE, file, (int file, const void *bytes, size_t size), (file, bytes, size))
UNDER_BOTH(TRANSFER, pwrite, pwrite64, GP_FILE_WRITE, file, (int file, const void *bytes, size_t size, off_t offset),
           (file, bytes, size, offset))
TRANSFER(writev, GP_FILE_WRITE, file, (int file, const struct iovec *parts, int count), (file, parts, count))
UNDER_BOTH(TRANSFER, pwritev, pwritev64, GP_FILE_WRITE, file,
           (int file, const struct iovec *parts, int count, off_t offset), (file, parts, count, offset))
UNDER_BOTH(TRANSFER, pwritev2, pwritev64v2, GP_FILE_WRITE, file,
           (int file, const struct iovec *parts, int count, off_t offset, int flags),
           (file, parts, count, offset, flags))
TRANSFER(send, GP_FILE_WRITE, file, (int file, const void *bytes, size_t size, int flags), (file, bytes, size, flags))
TRANSFER(sendto, GP_FILE_WRITE, file,
         (int file, const void *bytes, size_t size, int flags, const struct sockaddr *address, socklen_t length),
         (file, bytes, size, flags, address, length))
TRANSFER(sendmsg, GP_FILE_WRITE, file, (int file, const struct msghdr *message, int flags), (file, message, flags))

// Several messages in one call, which returns how many.
#define MESSAGES(name, operation, parameters, arguments)                                                               \
    GP_EXPORT int name parameters {                                                                                    \
        COUNTED(int, name, arguments)                                                                                  \
        uint64_t bytes = 0;                                                                                            \
        for (int i = 0; i < result; i++)                                                                               \
            bytes += messages[i].msg_len;                                                                              \
        gp_file_transferred(file, operation, bytes, CALL(result < 0));                                                 \
        return result;                                                                                                 \
    }

MESSAGES(recvmmsg, GP_FILE_READ,
         (int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
         (file, messages, count, flags, timeout))
MESSAGES(sendmmsg, GP_FILE_WRITE, (int file, struct mmsghdr *messages, unsigned count, int flags),
         (file, messages, count, flags))

// Bytes of one descriptor go to another: read and written; the time is that of the write.
#define PASS(name, source, target, parameters, arguments)                                                              \
    GP_EXPORT ssize_t name parameters {                                                                                \
        COUNTED_IF_KNOWN(ssize_t, name, arguments)                                                                     \
        const uint64_t bytes = result > 0 ? (uint64_t)result : 0;                                                      \
        gp_file_transferred(target, GP_FILE_WRITE, bytes, CALL(result < 0));                                           \
        began = gp_file_ticks();                                                                                       \
        if (result >= 0)                                                                                               \
            gp_file_transferred(source, GP_FILE_READ, bytes, CALL(false));                                             \
        return result;                                                                                                 \
    }

UNDER_BOTH(PASS, sendfile, sendfile64, from, to, (int to, int from, off_t *offset, size_t size),
           (to, from, offset, size))
PASS(splice, from, to, (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
     (from, from_at, to, to_at, size, flags))
PASS(copy_file_range, from, to, (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
     (from, from_at, to, to_at, size, flags))

#define SYNC(name)                                                                                                     \
    GP_EXPORT int name(int file) {                                                                                     \
        COUNTED(int, name, (file))                                                                                     \
        gp_file_transferred(file, GP_FILE_SYNC, 0, CALL(result < 0));                                                  \
        return result;                                                                                                 \
    }

SYNC(fsync)
SYNC(fdatasync)

// Streams. Their buffers are the C library's: what is counted is what the program gives and takes.

// −1: none, as of a stream in memory.
static int descriptor_of(FILE *stream) {
    const int saved = errno, descriptor = fileno(stream);
    errno = saved;
    return descriptor;
}

// `bytes` is made of `result`, which is the function's type.
#define STREAM(type, name, operation, stream, failed, bytes, parameters, arguments)                                    \
    GP_EXPORT type name parameters {                                                                                   \
        COUNTED(type, name, arguments)                                                                                 \
        const int descriptor = descriptor_of(stream);                                                                  \
        if (descriptor >= 0)                                                                                           \
            gp_file_transferred(descriptor, operation, bytes, CALL(failed));                                           \
        return result;                                                                                                 \
    }

#define BLOCKS(name, operation, pointer)                                                                               \
    STREAM(size_t, name, operation, stream, result < count && ferror(stream), result * size,                           \
           (pointer bytes, size_t size, size_t count, FILE * stream), (bytes, size, count, stream))

BLOCKS(fread, GP_FILE_READ, void *restrict)
BLOCKS(fread_unlocked, GP_FILE_READ, void *restrict)
BLOCKS(fwrite, GP_FILE_WRITE, const void *restrict)
BLOCKS(fwrite_unlocked, GP_FILE_WRITE, const void *restrict)
STREAM(size_t, __fread_chk, GP_FILE_READ, stream, result < count && ferror(stream), result *size,
       (void *bytes, size_t limit, size_t size, size_t count, FILE *stream), (bytes, limit, size, count, stream))

// `strlen` counts a line with a NUL in it too short.
STREAM(char *, fgets, GP_FILE_READ, stream, !result && ferror(stream), result ? strlen(result) : 0,
       (char *restrict text, int size, FILE *restrict stream), (text, size, stream))
STREAM(char *, fgets_unlocked, GP_FILE_READ, stream, !result && ferror(stream), result ? strlen(result) : 0,
       (char *restrict text, int size, FILE *restrict stream), (text, size, stream))
STREAM(char *, __fgets_chk, GP_FILE_READ, stream, !result && ferror(stream), result ? strlen(result) : 0,
       (char *text, size_t limit, int size, FILE *stream), (text, limit, size, stream))

// As standard_error.c has it for programs that link the recorder.
STREAM(int, fputs, GP_FILE_WRITE, stream, result < 0, result < 0 ? 0 : strlen(text),
       (const char *restrict text, FILE *restrict stream), ((gp_runtime_message_note(text, stream), text), stream))
STREAM(int, fputs_unlocked, GP_FILE_WRITE, stream, result < 0, result < 0 ? 0 : strlen(text),
       (const char *restrict text, FILE *restrict stream), (text, stream))
STREAM(ssize_t, getline, GP_FILE_READ, stream, result<0 && ferror(stream), result> 0 ? (uint64_t)result : 0,
       (char **restrict text, size_t *restrict size, FILE *restrict stream), (text, size, stream))
STREAM(ssize_t, getdelim, GP_FILE_READ, stream, result<0 && ferror(stream), result> 0 ? (uint64_t)result : 0,
       (char **restrict text, size_t *restrict size, int delimiter, FILE *restrict stream),
       (text, size, delimiter, stream))

// A function that returns a new descriptor. `name_expression` is looked at when there is one.
#define OPEN(name, kind, folder, name_expression, parameters, arguments, before)                                       \
    GP_EXPORT WITHOUT_VECTORS int name parameters {                                                                    \
        before;                                                                                                        \
        COUNTED_IF_KNOWN(int, name, arguments)                                                                         \
        gp_file_opened(result, kind, folder, result < 0 ? "" : name_expression, CALL(result < 0));                     \
        return result;                                                                                                 \
    }

// Only then is there a third argument.
#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) {                                                         \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

UNDER_BOTH(OPEN, open, open64, GP_FILE_PATH, -1, path, (const char *path, int flags, ...), (path, flags, mode),
           MODE_OF(flags))
UNDER_BOTH(OPEN, openat, openat64, GP_FILE_PATH, folder, path, (int folder, const char *path, int flags, ...),
           (folder, path, flags, mode), MODE_OF(flags))
UNDER_BOTH(OPEN, __open_2, __open64_2, GP_FILE_PATH, -1, path, (const char *path, int flags), (path, flags), )
UNDER_BOTH(OPEN, __openat_2, __openat64_2, GP_FILE_PATH, folder, path, (int folder, const char *path, int flags),
           (folder, path, flags), )
UNDER_BOTH(OPEN, creat, creat64, GP_FILE_PATH, -1, path, (const char *path, mode_t mode), (path, mode), )
UNDER_BOTH(OPEN, mkstemp, mkstemp64, GP_FILE_PATH, -1, path, (char *path), (path), )
UNDER_BOTH(OPEN, mkostemp, mkostemp64, GP_FILE_PATH, -1, path, (char *path, int flags), (path, flags), )
UNDER_BOTH(OPEN, mkstemps, mkstemps64, GP_FILE_PATH, -1, path, (char *path, int suffix), (path, suffix), )
UNDER_BOTH(OPEN, mkostemps, mkostemps64, GP_FILE_PATH, -1, path, (char *path, int suffix, int flags),
           (path, suffix, flags), )
OPEN(shm_open, GP_FILE_PATH, -1, path, (const char *path, int flags, mode_t mode), (path, flags, mode), )
OPEN(memfd_create, GP_FILE_EVENT, -1, "memory file", (const char *path, unsigned flags), (path, flags), )
OPEN(eventfd, GP_FILE_EVENT, -1, "event counter", (unsigned value, int flags), (value, flags), )
OPEN(epoll_create, GP_FILE_EVENT, -1, "epoll set", (int size), (size), )
OPEN(epoll_create1, GP_FILE_EVENT, -1, "epoll set", (int flags), (flags), )
OPEN(timerfd_create, GP_FILE_EVENT, -1, "timer", (clockid_t clock, int flags), (clock, flags), )
OPEN(signalfd, GP_FILE_EVENT, -1, "signals", (int file, const sigset_t *mask, int flags), (file, mask, flags), )
OPEN(inotify_init, GP_FILE_EVENT, -1, "file events", (void), (), )
OPEN(inotify_init1, GP_FILE_EVENT, -1, "file events", (int flags), (flags), )

static const char *socket_name(int domain, int type) {
    const int plain = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (domain == AF_UNIX)
        return "Unix socket";
    if (domain != AF_INET && domain != AF_INET6)
        return "socket";
    return plain == SOCK_STREAM ? "TCP socket" : plain == SOCK_DGRAM ? "UDP socket" : "IP socket";
}

OPEN(socket, GP_FILE_SOCKET, -1, socket_name(domain, type), (int domain, int type, int protocol),
     (domain, type, protocol), )

#define ACCEPT(name, parameters, arguments)                                                                            \
    GP_EXPORT int name parameters {                                                                                    \
        COUNTED(int, name, arguments)                                                                                  \
        gp_file_accepted(result, CALL(result < 0));                                                                    \
        return result;                                                                                                 \
    }

ACCEPT(accept, (int file, struct sockaddr *restrict address, socklen_t *restrict length), (file, address, length))
ACCEPT(accept4, (int file, struct sockaddr *restrict address, socklen_t *restrict length, int flags),
       (file, address, length, flags))

GP_EXPORT int connect(int file, const struct sockaddr *address, socklen_t length) {
    COUNTED(int, connect, (file, address, length))
    gp_file_connected(file, address, length, CALL(result < 0));
    return result;
}

// Two descriptors; the time is that of the first.
#define PAIR(name, kind, title, parameters, arguments)                                                                 \
    GP_EXPORT int name parameters {                                                                                    \
        COUNTED(int, name, arguments)                                                                                  \
        gp_file_opened(result < 0 ? -1 : ends[0], kind, -1, title, CALL(result < 0));                                  \
        began = gp_file_ticks();                                                                                       \
        if (result >= 0)                                                                                               \
            gp_file_opened(ends[1], kind, -1, title, CALL(false));                                                     \
        return result;                                                                                                 \
    }

PAIR(pipe, GP_FILE_PIPE, "pipe", (int ends[2]), (ends))
PAIR(pipe2, GP_FILE_PIPE, "pipe", (int ends[2], int flags), (ends, flags))
PAIR(socketpair, GP_FILE_SOCKET, "socket pair", (int domain, int type, int protocol, int ends[2]),
     (domain, type, protocol, ends))

#define DUPLICATE(name, original, parameters, arguments)                                                               \
    GP_EXPORT int name parameters {                                                                                    \
        COUNTED(int, name, arguments)                                                                                  \
        gp_file_duplicated(original, result, CALL(result < 0));                                                        \
        return result;                                                                                                 \
    }

DUPLICATE(dup, file, (int file), (file))
DUPLICATE(dup2, file, (int file, int target), (file, target))
DUPLICATE(dup3, file, (int file, int target, int flags), (file, target, flags))

// What the third argument is, the command says; all fit into one that is a pointer.
#define CONTROL(name)                                                                                                  \
    GP_EXPORT WITHOUT_VECTORS int name(int file, int command, ...) {                                                   \
        va_list list;                                                                                                  \
        va_start(list, command);                                                                                       \
        void *const argument = va_arg(list, void *);                                                                   \
        va_end(list);                                                                                                  \
        const bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;                                      \
        if (!HAS(name))                                                                                                \
            return NEXT(fcntl)(file, command, argument);                                                               \
        if (!duplicates || !gp_files_are_recorded())                                                                   \
            return next.name(file, command, argument);                                                                 \
        const uint64_t began = gp_file_ticks();                                                                        \
        const int result = next.name(file, command, argument);                                                         \
        gp_file_duplicated(file, result, CALL(result < 0));                                                            \
        return result;                                                                                                 \
    }

CONTROL(fcntl)
CONTROL(fcntl64)

GP_EXPORT int close(int file) {
    if (!gp_files_are_recorded())
        return NEXT(close)(file);
    const gp_file_closing closing = gp_file_close_begins(file);
    const uint64_t began = gp_file_ticks();
    const int result = NEXT(close)(file);
    gp_file_closed(closing, CALL(result < 0));
    return result;
}

GP_EXPORT int close_range(unsigned first, unsigned last, int flags) {
    const uint64_t began = gp_files_are_recorded() ? gp_file_ticks() : 0;
    const int result = HAS(close_range) ? next.close_range(first, last, flags)
#ifdef SYS_close_range
                                        : (int)syscall(SYS_close_range, first, last, flags);
#else
                                        : (errno = ENOSYS, -1);
#endif
    if (began && result == 0 && !(flags & CLOSE_RANGE_CLOEXEC))
        gp_file_range_closed(first, last, CALL(false));
    return result;
}

GP_EXPORT void closefrom(int first) {
    const uint64_t began = gp_files_are_recorded() ? gp_file_ticks() : 0;
    if (HAS(closefrom))
        next.closefrom(first);
    else
        for (int i = first < 0 ? 0 : first, end = (int)sysconf(_SC_OPEN_MAX); i < end; i++)
            NEXT(close)(i);
    if (began)
        gp_file_range_closed(first < 0 ? 0 : (unsigned)first, ~0u, CALL(false));
}

// A function that returns a stream with a new descriptor.
#define OPEN_STREAM(name, kind, title, parameters, arguments)                                                          \
    GP_EXPORT FILE *name parameters {                                                                                  \
        COUNTED(FILE *, name, arguments)                                                                               \
        gp_file_opened(result ? descriptor_of(result) : -1, kind, -1, title, CALL(!result));                           \
        return result;                                                                                                 \
    }

UNDER_BOTH(OPEN_STREAM, fopen, fopen64, GP_FILE_PATH, path, (const char *restrict path, const char *restrict mode),
           (path, mode))
UNDER_BOTH(OPEN_STREAM, tmpfile, tmpfile64, GP_FILE_PATH, "(temporary file)", (void), ())

#define CLOSE_STREAM(type, name, descriptor)                                                                           \
    GP_EXPORT int name(type *stream) {                                                                                 \
        if (!gp_files_are_recorded())                                                                                  \
            return NEXT(name)(stream);                                                                                 \
        const int file = descriptor;                                                                                   \
        const gp_file_closing closing = gp_file_close_begins(file);                                                    \
        const uint64_t began = gp_file_ticks();                                                                        \
        const int result = NEXT(name)(stream);                                                                         \
        if (file >= 0)                                                                                                 \
            gp_file_closed(closing, CALL(false));                                                                      \
        return result;                                                                                                 \
    }

CLOSE_STREAM(FILE, fclose, descriptor_of(stream))
CLOSE_STREAM(FILE, pclose, descriptor_of(stream))
CLOSE_STREAM(DIR, closedir, dirfd(stream))

#define REOPEN(name)                                                                                                   \
    GP_EXPORT FILE *name(const char *restrict path, const char *restrict mode, FILE *restrict stream) {                \
        if (!gp_files_are_recorded())                                                                                  \
            return NEXT(name)(path, mode, stream);                                                                     \
        const gp_file_closing closing = gp_file_close_begins(descriptor_of(stream));                                   \
        const uint64_t began = gp_file_ticks();                                                                        \
        FILE *const result = NEXT(name)(path, mode, stream);                                                           \
        const int error = errno;                                                                                       \
        if (closing.file)                                                                                              \
            gp_file_closed(closing, CALL(false));                                                                      \
        errno = error;                                                                                                 \
        gp_file_opened(result ? descriptor_of(result) : -1, GP_FILE_PATH, -1, path ? path : "(reopened)",              \
                       CALL(!result));                                                                                 \
        return result;                                                                                                 \
    }

REOPEN(freopen)
REOPEN(freopen64)

GP_EXPORT DIR *opendir(const char *path) {
    COUNTED(DIR *, opendir, (path))
    gp_file_opened(result ? dirfd(result) : -1, GP_FILE_PATH, -1, path, CALL(!result));
    return result;
}
#endif
