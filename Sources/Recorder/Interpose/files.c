// Functions that open, close, read and write descriptors: each calls the C library's own and then has the call counted, so that
// errno, cancellation and signals are as without. Calls that the C library makes of itself do not come here: a stream
// is counted where the program gives to it or takes from it.
#ifdef GP_PRELOADED
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "next.h"
#include "runtime_message.h"
#include "slow_path.h"
#include "system.h"

// Whatever they are declared as, these functions take words in registers and return one: what they are given is handed on as it
// came, read or not. Of a word that is an `int` the upper half means nothing.
typedef long any_function(long, long, long, long, long, long);

enum { WORDS = 6 };

typedef struct call call;

// What is known of a function, and how its calls are counted.
typedef struct {
    void (*count)(const call *made);
    int (*descriptor_of)(long word);  // what its argument, or what it returns, stands for: a number, a stream, a folder
    uint8_t kind;  // GP_FILE_READ, …: what it does; GP_FILE_PATH, …: what it opens
    uint8_t place;  // number of the argument that `count` looks at
    const char *title;  // of what it opens; NULL: the argument is a path
    bool closes;  // the descriptor of that argument
    const char *name;
    any_function *next;  // the C library's own; NULL: not looked up yet
} function;

// A call that was made.
struct call {
    const function *function;
    const long *words;
    long result;
    gp_registers caller;
    uint64_t began;
    int closed;  // the descriptor
    gp_file_closing closing;
};

static long absent(long a, long b, long c, long d, long e, long f) {
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    errno = ENOSYS;
    return -1;
}

GP_SLOW_PATH static any_function *find(function *wanted) {
    any_function *const found = (any_function *)dlsym(RTLD_NEXT, wanted->name);
    return wanted->next = found ? found : absent;
}

static inline long call_next(function *wanted, const long *w) {
    return (GP_LIKELY(wanted->next) ? wanted->next : find(wanted))(w[0], w[1], w[2], w[3], w[4], w[5]);
}

static __attribute__((noinline)) long make_counted(function *called, const long *words, gp_registers caller) {
    call made = {.function = called, .words = words, .caller = caller};
    if (called->closes) {
        made.closed = called->descriptor_of(words[called->place]);
        made.closing = gp_file_close_begins(made.closed);
    }
    made.began = gp_file_ticks();
    made.result = call_next(called, words);
    if (called->next != absent)
        called->count(&made);
    return made.result;
}

// For the function that the program has called.
static inline __attribute__((always_inline)) long make(function *called, const long *words) {
    return gp_files_are_recorded() ? make_counted(called, words, GP_CALLER_REGISTERS()) : call_next(called, words);
}

static int as_number(long word) {
    return (int)word;
}

// −1: none, as of a stream in memory.
static int of_stream(long stream) {
    const int saved = errno, descriptor = fileno((FILE *)stream);
    errno = saved;
    return descriptor;
}

static int of_folder(long folder) {
    return dirfd((DIR *)folder);
}

static gp_file_call counted(const call *made, bool has_failed) {
    return (gp_file_call){made->caller, made->began, has_failed ? errno : 0};
}

// The call behind it, which takes no time of its own.
static gp_file_call counted_too(const call *made) {
    return (gp_file_call){made->caller, gp_file_ticks(), 0};
}

// ---------------------------------------------------------------------------------------------- bytes that are carried

// Through a descriptor, or a stream: its buffer is the C library's, what the program gives and takes is counted.
static void count_bytes(const call *made, long file, uint64_t bytes, bool has_failed) {
    const bool is_stream = made->function->descriptor_of == of_stream;
    const int descriptor = made->function->descriptor_of(file);
    if (!is_stream || descriptor >= 0)
        gp_file_transferred(descriptor, made->function->kind, bytes,
                            counted(made, has_failed && (!is_stream || ferror((FILE *)file))));
}

// Returns their number.
static void carried(const call *made) {
    count_bytes(made, made->words[made->function->place], made->result > 0 ? (uint64_t)made->result : 0,
                made->result < 0);
}

static void synced(const call *made) {
    count_bytes(made, made->words[0], 0, (int)made->result < 0);
}

// Several messages in one call, which returns how many.
static void messages_carried(const call *made) {
    const struct mmsghdr *messages = (const struct mmsghdr *)made->words[1];
    uint64_t bytes = 0;
    for (int i = 0; i < (int)made->result; i++)
        bytes += messages[i].msg_len;
    count_bytes(made, made->words[0], bytes, (int)made->result < 0);
}

// Bytes of one descriptor, the argument at `place`, go to another: read and written; the time is that of the write.
static void passed(const call *made) {
    const uint8_t source = made->function->place, target = source ? 0 : 2;
    const uint64_t bytes = made->result > 0 ? (uint64_t)made->result : 0;
    gp_file_transferred((int)made->words[target], GP_FILE_WRITE, bytes, counted(made, made->result < 0));
    if (made->result >= 0)
        gp_file_transferred((int)made->words[source], GP_FILE_READ, bytes, counted_too(made));
}

// At `place` stands the size of a block; behind it how many, and the stream.
static void blocks_carried(const call *made) {
    const long *size = &made->words[made->function->place];
    count_bytes(made, size[2], (uint64_t)made->result * (uint64_t)size[0], (size_t)made->result < (size_t)size[1]);
}

// `strlen` counts a line with a NUL in it too short.
static void line_read(const call *made) {
    const char *line = (const char *)made->result;
    count_bytes(made, made->words[made->function->place], line ? strlen(line) : 0, !line);
}

static void text_written(const call *made) {
    const bool has_failed = (int)made->result < 0;
    count_bytes(made, made->words[1], has_failed ? 0 : strlen((const char *)made->words[0]), has_failed);
}

// ------------------------------------------------------------------------------------- descriptors that begin and end

static void count_opened(const call *made, const char *name) {
    const bool has_failed = made->function->descriptor_of == as_number ? (int)made->result < 0 : !made->result;
    gp_file_opened(has_failed ? -1 : made->function->descriptor_of(made->result), made->function->kind,
                   made->function->place == 1 ? (int)made->words[0] : -1, has_failed ? "" : name,
                   counted(made, has_failed));
}

// A path is the first argument, or stands behind the descriptor of its folder.
static void opened(const call *made) {
    const char *title = made->function->title;
    count_opened(made, title ? title : (const char *)made->words[made->function->place]);
}

static void socket_opened(const call *made) {
    const int domain = (int)made->words[0], type = (int)made->words[1] & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    const char *name = type == SOCK_STREAM ? "TCP socket" : type == SOCK_DGRAM ? "UDP socket" : "IP socket";
    if (domain == AF_UNIX)
        name = "Unix socket";
    else if (domain != AF_INET && domain != AF_INET6)
        name = "socket";
    count_opened(made, name);
}

// Two descriptors, which stand where the argument says; the time is that of the first.
static void pair_opened(const call *made) {
    const function *called = made->function;
    const int *ends = (const int *)made->words[called->place];
    const bool has_failed = (int)made->result < 0;
    gp_file_opened(has_failed ? -1 : ends[0], called->kind, -1, called->title, counted(made, has_failed));
    if (!has_failed)
        gp_file_opened(ends[1], called->kind, -1, called->title, counted_too(made));
}

static void accepted(const call *made) {
    gp_file_accepted((int)made->result, counted(made, (int)made->result < 0));
}

static void connected(const call *made) {
    gp_file_connected((int)made->words[0], (const struct sockaddr *)made->words[1], (socklen_t)made->words[2],
                      counted(made, (int)made->result < 0));
}

static void duplicated(const call *made) {
    gp_file_duplicated((int)made->words[0], (int)made->result, counted(made, (int)made->result < 0));
}

static void controlled(const call *made) {
    const int command = (int)made->words[1];
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        duplicated(made);
}

static void closed(const call *made) {
    const bool is_number = made->function->descriptor_of == as_number;
    if (is_number || made->closed >= 0)
        gp_file_closed(made->closed, made->closing, counted(made, is_number && (int)made->result < 0));
}

static void reopened(const call *made) {
    const char *path = (const char *)made->words[0];
    if (made->closing.file)
        gp_file_closed(made->closed, made->closing, counted(made, false));
    count_opened(made, path ? path : "(reopened)");
}

// ---------------------------------------------------------------------------------------------------------- functions

// All stand in a section of their own, one behind the other.
#define DESCRIBE(exported, ...)                                                                                        \
    static function exported##_function                                                                                \
        __attribute__((section("gp_file_functions"), aligned(8))) = {__VA_ARGS__, .name = #exported};

extern function first_function __asm__("__start_gp_file_functions") __attribute__((visibility("hidden")));
extern function functions_end __asm__("__stop_gp_file_functions") __attribute__((visibility("hidden")));

// Looked up when the library is loaded: some of these are called in signal handlers.
static void __attribute__((constructor(101))) find_all(void) {
    for (function *wanted = &first_function; wanted < &functions_end; wanted++)
        find(wanted);
}

#define FUNCTION(exported, ...)                                                                                        \
    DESCRIBE(exported, __VA_ARGS__)                                                                                    \
    GP_EXPORT any_function gp_file_##exported __asm__(#exported);                                                      \
    long gp_file_##exported(long a, long b, long c, long d, long e, long f) {                                          \
        return make(&exported##_function, (const long[WORDS]){a, b, c, d, e, f});                                      \
    }

// One that the C library has under two names, which are the same where off_t has 64 bits.
#define FUNCTION_AND_64(exported, ...) FUNCTION(exported, __VA_ARGS__) FUNCTION(exported##64, __VA_ARGS__)

FUNCTION(read, carried, as_number, GP_FILE_READ)
FUNCTION_AND_64(pread, carried, as_number, GP_FILE_READ)
FUNCTION(readv, carried, as_number, GP_FILE_READ)
FUNCTION_AND_64(preadv, carried, as_number, GP_FILE_READ)
FUNCTION(preadv2, carried, as_number, GP_FILE_READ)
FUNCTION(preadv64v2, carried, as_number, GP_FILE_READ)
FUNCTION(recv, carried, as_number, GP_FILE_READ)
FUNCTION(recvfrom, carried, as_number, GP_FILE_READ)
FUNCTION(recvmsg, carried, as_number, GP_FILE_READ)
FUNCTION(recvmmsg, messages_carried, as_number, GP_FILE_READ)
FUNCTION(write, carried, as_number, GP_FILE_WRITE)
FUNCTION_AND_64(pwrite, carried, as_number, GP_FILE_WRITE)
FUNCTION(writev, carried, as_number, GP_FILE_WRITE)
FUNCTION_AND_64(pwritev, carried, as_number, GP_FILE_WRITE)
FUNCTION(pwritev2, carried, as_number, GP_FILE_WRITE)
FUNCTION(pwritev64v2, carried, as_number, GP_FILE_WRITE)
FUNCTION(send, carried, as_number, GP_FILE_WRITE)
FUNCTION(sendto, carried, as_number, GP_FILE_WRITE)
FUNCTION(sendmsg, carried, as_number, GP_FILE_WRITE)
FUNCTION(sendmmsg, messages_carried, as_number, GP_FILE_WRITE)
FUNCTION_AND_64(sendfile, passed, as_number, .place = 1)
FUNCTION(splice, passed, as_number)
FUNCTION(copy_file_range, passed, as_number)
FUNCTION(fsync, synced, as_number, GP_FILE_SYNC)
FUNCTION(fdatasync, synced, as_number, GP_FILE_SYNC)

FUNCTION(fread, blocks_carried, of_stream, GP_FILE_READ, 1)
FUNCTION(fread_unlocked, blocks_carried, of_stream, GP_FILE_READ, 1)
FUNCTION(fwrite, blocks_carried, of_stream, GP_FILE_WRITE, 1)
FUNCTION(fwrite_unlocked, blocks_carried, of_stream, GP_FILE_WRITE, 1)
FUNCTION(fgets, line_read, of_stream, GP_FILE_READ, 2)
FUNCTION(fgets_unlocked, line_read, of_stream, GP_FILE_READ, 2)
FUNCTION(getline, carried, of_stream, GP_FILE_READ, 2)
FUNCTION(getdelim, carried, of_stream, GP_FILE_READ, 3)
FUNCTION(fputs_unlocked, text_written, of_stream, GP_FILE_WRITE)

FUNCTION_AND_64(open, opened, as_number, GP_FILE_PATH)
FUNCTION_AND_64(openat, opened, as_number, GP_FILE_PATH, 1)
FUNCTION_AND_64(creat, opened, as_number, GP_FILE_PATH)
FUNCTION_AND_64(mkstemp, opened, as_number, GP_FILE_PATH)
FUNCTION_AND_64(mkostemp, opened, as_number, GP_FILE_PATH)
FUNCTION_AND_64(mkstemps, opened, as_number, GP_FILE_PATH)
FUNCTION_AND_64(mkostemps, opened, as_number, GP_FILE_PATH)
FUNCTION(shm_open, opened, as_number, GP_FILE_PATH)
FUNCTION(memfd_create, opened, as_number, GP_FILE_EVENT, .title = "memory file")
FUNCTION(eventfd, opened, as_number, GP_FILE_EVENT, .title = "event counter")
FUNCTION(epoll_create, opened, as_number, GP_FILE_EVENT, .title = "epoll set")
FUNCTION(epoll_create1, opened, as_number, GP_FILE_EVENT, .title = "epoll set")
FUNCTION(timerfd_create, opened, as_number, GP_FILE_EVENT, .title = "timer")
FUNCTION(signalfd, opened, as_number, GP_FILE_EVENT, .title = "signals")
FUNCTION(inotify_init, opened, as_number, GP_FILE_EVENT, .title = "file events")
FUNCTION(inotify_init1, opened, as_number, GP_FILE_EVENT, .title = "file events")
FUNCTION(socket, socket_opened, as_number, GP_FILE_SOCKET)
FUNCTION(socketpair, pair_opened, as_number, GP_FILE_SOCKET, 3, "socket pair")
FUNCTION(pipe, pair_opened, as_number, GP_FILE_PIPE, 0, "pipe")
FUNCTION(pipe2, pair_opened, as_number, GP_FILE_PIPE, 0, "pipe")
FUNCTION(accept, accepted, as_number)
FUNCTION(accept4, accepted, as_number)
FUNCTION(connect, connected, as_number)
FUNCTION(dup, duplicated, as_number)
FUNCTION(dup2, duplicated, as_number)
FUNCTION(dup3, duplicated, as_number)
FUNCTION_AND_64(fcntl, controlled, as_number)
FUNCTION_AND_64(fopen, opened, of_stream, GP_FILE_PATH)
FUNCTION_AND_64(tmpfile, opened, of_stream, GP_FILE_PATH, .title = "(temporary file)")
FUNCTION_AND_64(freopen, reopened, of_stream, GP_FILE_PATH, 2, .closes = true)
FUNCTION(opendir, opened, of_folder, GP_FILE_PATH)
FUNCTION(close, closed, as_number, .closes = true)
FUNCTION(fclose, closed, of_stream, .closes = true)
FUNCTION(pclose, closed, of_stream, .closes = true)
FUNCTION(closedir, closed, of_folder, .closes = true)

// Fortified programs call these.
FUNCTION(__read_chk, carried, as_number, GP_FILE_READ)
FUNCTION(__pread_chk, carried, as_number, GP_FILE_READ)
FUNCTION(__pread64_chk, carried, as_number, GP_FILE_READ)
FUNCTION(__recv_chk, carried, as_number, GP_FILE_READ)
FUNCTION(__fread_chk, blocks_carried, of_stream, GP_FILE_READ, 2)
FUNCTION(__fgets_chk, line_read, of_stream, GP_FILE_READ, 3)
FUNCTION(__open_2, opened, as_number, GP_FILE_PATH)
FUNCTION(__open64_2, opened, as_number, GP_FILE_PATH)
FUNCTION(__openat_2, opened, as_number, GP_FILE_PATH, 1)
FUNCTION(__openat64_2, opened, as_number, GP_FILE_PATH, 1)

// Its seventh word lies on the stack.
GP_EXPORT ssize_t __recvfrom_chk(int file, void *bytes, size_t size, size_t room, int flags, struct sockaddr *address,
                                 socklen_t *length) {
    extern _Noreturn void __chk_fail(void);
    if (size > room)
        __chk_fail();
    return make(&recvfrom_function, (const long[]){file, (long)bytes, (long)size, flags, (long)address, (long)length});
}

DESCRIBE(fputs, text_written, of_stream, GP_FILE_WRITE)

// As standard_error.c has it for programs that link the recorder.
GP_EXPORT int fputs(const char *restrict text, FILE *restrict stream) {
    gp_runtime_message_note(text, stream);
    return (int)make(&fputs_function, (const long[WORDS]){(long)text, (long)stream});
}

GP_EXPORT int close_range(unsigned first, unsigned last, int flags) {
    const uint64_t began = gp_files_are_recorded() ? gp_file_ticks() : 0;
    const int result = (int)gp_result_of(gp_system(close_range, first, last, flags));
    if (began && result == 0 && !(flags & CLOSE_RANGE_CLOEXEC))
        gp_file_range_closed(first, last, (gp_file_call){GP_CALLER_REGISTERS(), began, 0});
    return result;
}

GP_EXPORT void closefrom(int first) {
    const uint64_t began = gp_files_are_recorded() ? gp_file_ticks() : 0;
    const unsigned lowest = first < 0 ? 0 : (unsigned)first;
    if (gp_system(close_range, lowest, ~0u, 0) < 0)
        for (long i = lowest, end = sysconf(_SC_OPEN_MAX); i < end; i++)
            call_next(&close_function, (const long[WORDS]){i});
    if (began)
        gp_file_range_closed(lowest, ~0u, (gp_file_call){GP_CALLER_REGISTERS(), began, 0});
}
#endif
