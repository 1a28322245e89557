#include "files.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

#include "arena.h"
#include "file_counts.h"
#include "file_holders.h"
#include "file_names.h"
#include "mapping.h"
#include "memo_check.h"
#include "signal_chain.h"
#include "slow_path.h"
#include "stack.h"
#include "system.h"
#include "thread.h"
#include "trace_writer.h"
#include "words.h"

// Numbers above these are not known. The kernel gives no process more without being told to.
enum { GP_DESCRIPTORS_MOST = 1 << 20, GP_DESCRIPTORS_LIMITED = 1 << 16 };

// So many descriptors are asked whether a lock is held through them, some microseconds each.
enum { GP_LOCKS_ASKED_MOST = 4096 };

typedef struct {
    _Atomic uint32_t file;  // number of its name, 0: not open, or not known
    uint32_t stack;  // that opened it
    uint64_t opened, used;  // ticks; 0: never, or nobody saw it
    uint64_t identity;  // of what was opened; 0: not known
} gp_descriptor;

static gp_descriptor *descriptors;
static uint32_t descriptor_count;
static _Atomic uint32_t highest;  // one above the highest that was open
static _Atomic bool asks_no_more;
static _Atomic bool is_written;  // which are open

void gp_files_ask_no_more(void) {
    atomic_store(&asks_no_more, true);
}

static gp_descriptor *entry_of(int descriptor) {
    return descriptor >= 0 && (uint32_t)descriptor < descriptor_count ? &descriptors[descriptor] : NULL;
}

// A child made by vfork shares this memory, and closes descriptors of its own.
static bool is_another_process(void) {
    return gp_recording.process != (uint32_t)gp_system(getpid, 0);
}

static inline uint32_t stack_of(gp_thread *thread, const gp_file_call *call) {
    const gp_registers at = call->caller;
    return gp_stack_id_inline(thread, gp_thread_stacks(thread), at.pc, at.sp, at.fp);
}

static inline void count(gp_thread *thread, uint32_t file, uint32_t stack, uint8_t operation, uint64_t bytes,
                         uint64_t ended, const gp_file_call *call) {
    gp_file_count(thread, &(gp_file_addition){
                              .file = file,
                              .stack = stack,
                              .operation = operation,
                              .failed = call->error != 0,
                              .exhausted = call->error == EMFILE || call->error == ENFILE,
                              .bytes = bytes,
                              .began = call->began,
                              .ended = ended,
                          });
}

static uint32_t refused(gp_thread *thread) {
    return gp_file_number(thread, GP_FILE_REFUSED, "");
}

// What a descriptor stands for, by device and inode. False: it is closed. `*identity` is 0 where the kernel may not be asked, or does
// not say.
static bool is_open(int descriptor, uint64_t *identity) {
    struct stat status;
    *identity = 0;
    if (atomic_load(&asks_no_more))
        return true;
    const long result = gp_system(fstat, descriptor, &status);
    if (result == 0)
        *identity = (status.st_dev * 0x9e3779b97f4a7c15ull ^ status.st_ino) | 1ull << 63;
    return result != -EBADF;
}

static void remember(int descriptor, uint32_t file, uint32_t stack, uint64_t moment) {
    gp_descriptor *entry = entry_of(descriptor);
    if (!entry)
        return;
    if (moment)
        is_open(descriptor, &entry->identity);
    entry->stack = stack;
    entry->opened = moment;
    entry->used = 0;
    atomic_store_explicit(&entry->file, file, memory_order_release);
    uint32_t known = atomic_load_explicit(&highest, memory_order_relaxed);
    while (known <= (uint32_t)descriptor && !atomic_compare_exchange_weak(&highest, &known, (uint32_t)descriptor + 1)) {
    }
}

enum { GP_ASKED_LONGEST = 1024 };  // a handler may have a small stack

// What the kernel calls the descriptor ("/etc/hosts", "socket:[123]", "anon_inode:[eventpoll]"); its length, 0: it does not say.
static size_t read_link(int descriptor, char name[GP_ASKED_LONGEST]) {
    char path[32] = "/proc/self/fd/";
    gp_number_write(path + strlen(path), (uint64_t)descriptor);
    const long length =
        atomic_load(&asks_no_more) ? 0 : gp_system(readlinkat, AT_FDCWD, path, name, GP_ASKED_LONGEST - 1);
    name[length > 0 ? length : 0] = 0;
    return length > 0 ? (size_t)length : 0;
}

// Nobody saw who opened it.
static GP_SLOW_PATH uint32_t find_unknown(gp_thread *thread, int descriptor) {
    static const char *const standard[] = {"standard input", "standard output", "standard error"};
    char name[GP_ASKED_LONGEST];
    if (descriptor <= 2)
        return gp_file_number(thread, GP_FILE_INHERITED, standard[descriptor]);
    if (read_link(descriptor, name) == 0)
        return atomic_load(&asks_no_more) ? gp_file_number(thread, GP_FILE_INHERITED, "(not known)") : refused(thread);
    // Without the number of the inode, which no other run has.
    char *number = name[0] == '/' ? NULL : strstr(name, ":[");
    if (number && number[2] >= '0' && number[2] <= '9')
        *number = 0;
    return gp_file_number(thread, GP_FILE_INHERITED, name);
}

static inline uint32_t file_of(gp_thread *thread, int descriptor, int error) {
    const gp_descriptor *entry = entry_of(descriptor);
    uint32_t file = entry ? atomic_load_explicit(&entry->file, memory_order_acquire) : 0;
    if (GP_UNLIKELY(!file)) {
        file = error == EBADF || descriptor < 0 ? refused(thread) : find_unknown(thread, descriptor);
        if (error != EBADF)
            remember(descriptor, file, 0, 0);
    }
    return file;
}

// A call as it is counted: by functions that need more room than the stack of a handler may have.
typedef struct counted_call counted_call;

struct counted_call {
    void (*count)(gp_thread *thread, const counted_call *made);
    gp_file_call call;
    uint64_t ended;  // ticks
    int descriptor;
    int other;  // descriptor of a folder, or the one that was duplicated
    uint8_t kind;  // GP_FILE_*: the operation, or what was opened
    uint32_t file;  // that was closed
    uint64_t size;  // bytes that went through; length of the address at `name`
    const void *name;
};

static void transferred(gp_thread *thread, const counted_call *made) {
    gp_descriptor *entry = entry_of(made->descriptor);
    const uint32_t file = file_of(thread, made->descriptor, made->call.error);
    if (entry && !made->call.error)
        entry->used = made->ended;
    count(thread, file, stack_of(thread, &made->call), made->kind, made->size, made->ended, &made->call);
}

static void count_with_room(void *argument) {
    counted_call *made = argument;
    gp_thread *thread = gp_files_are_recorded() && descriptors ? gp_thread_enter() : NULL;
    if (!thread)
        return;
    if (made->count == transferred || !is_another_process())
        made->count(thread, made);
    gp_thread_leave(thread);
}

static inline void count_call(counted_call made) {
    made.ended = gp_file_ticks();
    gp_call_with_room(count_with_room, &made);
}

void gp_file_transferred(int descriptor, uint8_t operation, uint64_t bytes, gp_file_call call) {
    count_call(
        (counted_call){.count = transferred, .call = call, .descriptor = descriptor, .kind = operation, .size = bytes});
}

// A name in a folder whose own is known.
static uint32_t number_in(gp_thread *thread, int folder, const char *name) {
    const gp_descriptor *entry = entry_of(folder);
    const char *outer = entry && name[0] != '/' ? gp_file_name_of(atomic_load(&entry->file)) : NULL;
    const size_t length = strnlen(name, GP_ASKED_LONGEST), outer_length = outer ? strlen(outer) : 0;
    char whole[GP_ASKED_LONGEST];
    if (outer_length == 0 || outer_length + 1 + length >= sizeof whole)
        return gp_file_number(thread, GP_FILE_PATH, name);
    memcpy(whole, outer, outer_length);
    whole[outer_length] = '/';
    memcpy(whole + outer_length + 1, name, length);
    whole[outer_length + 1 + length] = 0;
    return gp_file_number(thread, GP_FILE_PATH, whole);
}

static void opened(gp_thread *thread, const counted_call *made) {
    const uint32_t stack = stack_of(thread, &made->call);
    uint32_t file;
    if (made->descriptor < 0)
        file = refused(thread);
    else
        file = made->kind == GP_FILE_PATH && made->other >= 0 ? number_in(thread, made->other, made->name)
                                                              : gp_file_number(thread, made->kind, made->name);
    if (made->descriptor >= 0)
        remember(made->descriptor, file, stack, made->ended);
    count(thread, file, stack, GP_FILE_OPENED, 0, made->ended, &made->call);
}

void gp_file_opened(int descriptor, uint8_t kind, int folder, const char *name, gp_file_call call) {
    count_call((counted_call){
        .count = opened, .call = call, .descriptor = descriptor, .other = folder, .kind = kind, .name = name});
}

static void accepted(gp_thread *thread, const counted_call *accepting) {
    counted_call made = *accepting;
    static const char plain[] = "accepted connection", from[] = "accepted connection from ";
    char name[sizeof from + GP_PEER_LONGEST];
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    memcpy(name, from, sizeof from);
    const bool is_known = made.descriptor >= 0 && !atomic_load(&asks_no_more) &&
                          gp_system(getpeername, made.descriptor, &address, &length) == 0 &&
                          gp_peer_write(name + sizeof from - 1, (const struct sockaddr *)&address, length, false) > 0;
    const uint64_t now = gp_file_ticks();
    made.call.began += now - made.ended;
    made.ended = now;
    made.name = is_known ? name : plain;
    opened(thread, &made);
}

void gp_file_accepted(int descriptor, gp_file_call call) {
    count_call(
        (counted_call){.count = accepted, .call = call, .descriptor = descriptor, .other = -1, .kind = GP_FILE_SOCKET});
}

// Others come before the kernel has looked at the address.
static bool has_taken_address(int error) {
    return error == 0 || error == EINPROGRESS || error == EINTR || error == ECONNREFUSED || error == ETIMEDOUT ||
           error == ENETUNREACH || error == EHOSTUNREACH || error == ENOENT;
}

// The number of a socket's name with its new peer; that of its name where there is no peer.
static uint32_t number_with_peer(gp_thread *thread, uint32_t file, const struct sockaddr *address, size_t length) {
    static const char to[] = " to ";
    const char *before = gp_file_name_of(file);
    char peer[GP_PEER_LONGEST], name[sizeof to + 2 * GP_PEER_LONGEST];
    if (!before || gp_peer_write(peer, address, length, true) == 0)
        return file;
    // A datagram socket may have had another one.
    const char *old_peer = strstr(before, to);
    const size_t title = old_peer ? (size_t)(old_peer - before) : strlen(before);
    if (title >= GP_PEER_LONGEST)
        return file;
    memcpy(name, before, title);
    memcpy(name + title, to, sizeof to);
    strcpy(name + title + sizeof to - 1, peer);
    return gp_file_number(thread, GP_FILE_SOCKET, name);
}

static void connected(gp_thread *thread, const counted_call *made) {
    gp_file_call call = made->call;
    gp_descriptor *entry = entry_of(made->descriptor);
    uint32_t file = file_of(thread, made->descriptor, call.error);
    if (entry && entry->opened && has_taken_address(call.error)) {
        uint32_t before = file;
        file = number_with_peer(thread, before, made->name, made->size);
        if (file != before && atomic_compare_exchange_strong(&entry->file, &before, file)) {
            gp_file_call none = {.began = made->ended};
            count(thread, file, before, GP_FILE_RENAMED, 0, made->ended, &none);
        }
    }
    // Not to wait is no failure.
    call.error = call.error == EINPROGRESS ? 0 : call.error;
    count(thread, file, stack_of(thread, &call), GP_FILE_CONNECTED, 0, made->ended, &call);
}

void gp_file_connected(int descriptor, const struct sockaddr *address, size_t length, gp_file_call call) {
    count_call(
        (counted_call){.count = connected, .call = call, .descriptor = descriptor, .size = length, .name = address});
}

// `opened`: ticks; 0: not known.
static void close_one(gp_thread *thread, uint32_t file, uint64_t opened, uint32_t stack, uint64_t ended,
                      const gp_file_call *call) {
    const uint64_t open_for = opened && opened < ended ? ended - opened : 0;
    if (!file)
        file = call->error ? refused(thread) : gp_file_number(thread, GP_FILE_INHERITED, "(not known)");
    count(thread, file, stack, GP_FILE_CLOSED, open_for, ended, call);
}

static void duplicated(gp_thread *thread, const counted_call *made) {
    const int original = made->other, descriptor = made->descriptor;
    const uint32_t stack = stack_of(thread, &made->call);
    gp_descriptor *from = entry_of(original), *to = entry_of(descriptor);
    uint32_t file = from ? atomic_load(&from->file) : 0;
    if (descriptor < 0) {
        file = refused(thread);
    } else if (!file) {
        file = find_unknown(thread, original);
        remember(original, file, 0, 0);
    }
    const uint64_t was_opened = to ? to->opened : 0;
    const uint32_t before = to ? atomic_exchange(&to->file, 0) : 0;
    if (before) {
        gp_file_call none = made->call;
        none.began = made->ended;
        close_one(thread, before, was_opened, stack, made->ended, &none);
    }
    if (descriptor >= 0)
        remember(descriptor, file, stack, made->ended);
    count(thread, file, stack, GP_FILE_OPENED, 0, made->ended, &made->call);
}

void gp_file_duplicated(int original, int descriptor, gp_file_call call) {
    if (original != descriptor)
        count_call((counted_call){.count = duplicated, .call = call, .descriptor = descriptor, .other = original});
}

gp_file_closing gp_file_close_begins(int descriptor) {
    gp_descriptor *entry = entry_of(descriptor);
    const gp_thread *thread = gp_thread_current();
    if (!entry || !thread || thread->busy || !atomic_load(&entry->file) || is_another_process())
        return (gp_file_closing){0};
    return (gp_file_closing){atomic_exchange(&entry->file, 0)};
}

// Another thread may have been given the number since. The stack of the caller has no room to keep the time.
static void closed(gp_thread *thread, const counted_call *made) {
    const gp_descriptor *entry = made->file ? entry_of(made->descriptor) : NULL;
    const uint64_t opened = entry && entry->opened < made->call.began ? entry->opened : 0;
    close_one(thread, made->file, opened, stack_of(thread, &made->call), made->ended, &made->call);
}

void gp_file_closed(int descriptor, gp_file_closing closing, gp_file_call call) {
    count_call((counted_call){.count = closed, .call = call, .descriptor = descriptor, .file = closing.file});
}

// From `descriptor` to `other`.
static void range_closed(gp_thread *thread, const counted_call *made) {
    gp_file_call call = made->call;
    const uint32_t end = atomic_load(&highest), stack = stack_of(thread, &call);
    for (uint32_t i = (uint32_t)made->descriptor; i < end && i <= (uint32_t)made->other; i++) {
        const uint64_t opened = descriptors[i].opened;
        const uint32_t file = atomic_exchange(&descriptors[i].file, 0);
        if (file)
            close_one(thread, file, opened, stack, made->ended, &call);
        call.began = made->ended;
    }
}

void gp_file_range_closed(unsigned first, unsigned last, gp_file_call call) {
    count_call((counted_call){.count = range_closed, .call = call, .descriptor = (int)first, .other = (int)last});
}

static void begin(gp_thread *thread, const char *options) {
    (void)options;
    gp_file_clock_start();
    gp_file_names_write_again(thread);
    atomic_store(&is_written, false);
    // What an earlier recording knew is out of date.
    for (uint32_t i = atomic_exchange(&highest, 0); i > 0; i--)
        atomic_store(&descriptors[i - 1].file, 0);
    if (descriptors)
        return;
    descriptor_count = gp_memory_is_limited() ? GP_DESCRIPTORS_LIMITED : GP_DESCRIPTORS_MOST;
    descriptors = gp_arena_allocate(descriptor_count * sizeof *descriptors);
}

// Only a socket is asked: other descriptors' drivers may do anything when they are polled.
static bool has_peer_closed(int descriptor) {
    static const struct timespec at_once;
    int type = 0;
    socklen_t size = sizeof type;
    struct pollfd wanted = {.fd = descriptor, .events = POLLRDHUP};
    return !atomic_load(&asks_no_more) && gp_system(getsockopt, descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
           type == SOCK_STREAM && gp_system(ppoll, &wanted, 1, &at_once, NULL, 8) == 1 && wanted.revents & POLLRDHUP;
}

// Whether the program closed the descriptor by a system call of its own; another file may have its number by now.
static bool is_closed_unseen(int descriptor, const gp_descriptor *entry) {
    uint64_t identity;
    return !is_open(descriptor, &identity) || (identity && entry->identity && identity != entry->identity);
}

static void note_closed_unseen(gp_thread *thread, uint64_t count) {
    static const char start[] =
        "The program closed descriptors by system calls of its own, past the C library's functions: ";
    static const char rest[] = ". They are missing among those that were closed.";
    char note[sizeof start + GP_NUMBER_ROOM + sizeof rest];
    strcpy(note, start);
    strcpy(note + sizeof start - 1 + gp_number_write(note + sizeof start - 1, count), rest);
    gp_write_note(thread, note);
}

static void find_holders(void) {
    gp_file_holders_begin();
    const uint32_t end = atomic_load(&asks_no_more) ? 0 : atomic_load(&highest);
    for (uint32_t i = 3; i < end; i++)
        if (atomic_load(&descriptors[i].file) && descriptors[i].opened)
            gp_file_holders_add(i);
    gp_file_holders_find();
}

// A crash may be followed by an end all the same: the list then takes the place of the first.
static void write_open(gp_thread *thread) {
    uint64_t closed_unseen = 0, asked = 0;
    if (atomic_exchange(&is_written, true)) {
        gp_open_file anew = {.header.kind = GP_FILE_OPEN};
        gp_write_record(thread, &anew, sizeof anew, NULL, 0);
    }
    find_holders();
    const uint32_t end = atomic_load(&highest);
    for (uint32_t i = 0; i < end; i++) {
        const gp_descriptor *entry = &descriptors[i];
        const uint32_t file = atomic_load(&entry->file);
        if (!file || !entry->opened)
            continue;
        if (is_closed_unseen((int)i, entry)) {
            closed_unseen++;
            continue;
        }
        // A file that is held for its lock is in use until now.
        const bool is_locked = asked++ < GP_LOCKS_ASKED_MOST && !atomic_load(&asks_no_more) && gp_file_is_locked(i);
        const gp_file_holder *const holder = gp_file_holder_of(i);
        const uint8_t ways = holder ? holder->flags : 0;
        gp_open_file record = {
            .header = {.kind = GP_FILE_OPEN,
                       .flags = (uint8_t)(ways | (has_peer_closed((int)i) ? GP_OPEN_PEER_CLOSED : 0))},
            .file = file,
            .stack = entry->stack,
            .descriptor = i,
            .holder = holder ? holder->process : 0,
            .opened_ns = gp_file_moment(entry->opened),
            .used_ns = is_locked ? gp_now_ns() : gp_file_moment(entry->used),
        };
        gp_write_record(thread, &record, sizeof record, holder ? holder->name : NULL,
                        holder ? strlen(holder->name) : 0);
    }
    if (closed_unseen)
        note_closed_unseen(thread, closed_unseen);
}

static bool flush(gp_thread *thread) {
    if (descriptors) {
        gp_file_counts_flush(thread);
        write_open(thread);
    }
    return true;
}

static void crash(gp_thread *thread, const void *context) {
    (void)context;
    flush(thread);
}

#ifdef GP_PRELOADED
#define REFUSAL NULL
#else
static const char *refusal(void) {
    return "A recorder that is linked into the program does not see its files: build the program without --traits "
           "Profiling.";
}
#define REFUSAL refusal
#endif

const gp_instrument gp_files_instrument = {
    .recorded = GP_INSTRUMENT_FILES, .refusal = REFUSAL, .start = begin, .crash = crash, .flush = flush};
