#include "kernel_texts.h"

#include <string.h>

#include "arena.h"
#include "file.h"
#include "proc_path.h"
#include "system.h"
#include "task_list.h"

// For 130,000 mappings; only what is read takes memory.
enum { TEXTS_MOST = 128 << 20 };

// Messages, each with the text of a file behind it. Of the arena: addresses of blocks in it are no references.
static char *texts;
static size_t used;

// Never as 0 to 2, which the program may have closed: the copy gives these up.
static int open_own(const char *path) {
    const long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -1 : gp_file_move_high((int)file);
}

gp_process_memory gp_process_memory_open(void) {
    return (gp_process_memory){open_own("/proc/self/smaps"), open_own("/proc/self/smaps_rollup")};
}

static void close_own(int file) {
    if (file >= 0)
        gp_system(close, file);
}

void gp_process_memory_close(gp_process_memory memory) {
    close_own(memory.smaps);
    close_own(memory.rollup);
}

// A file of which not all can be read has no text. `number`: tells files of one kind apart.
static bool append(uint32_t kind, uint64_t number, int file) {
    gp_search_message *const message = (gp_search_message *)(texts + used);
    char *const text = (char *)(message + 1);
    if (used + sizeof *message > TEXTS_MOST)
        return false;
    const size_t room = TEXTS_MOST - used - sizeof *message;
    size_t length = 0;
    long count = file < 0 ? -1 : 1;
    while (count > 0 && (count = gp_system(read, file, text + length, room - length)) > 0)
        length += (size_t)count;
    if (count != 0 || length == room)
        length = 0;
    *message = (gp_search_message){.kind = kind, .size = (uint32_t)length, .first = number};
    used += sizeof *message + ((length + 7) & ~(size_t)7);
    return length > 0;
}

static void append_file(uint32_t kind, uint64_t number, const char *path) {
    const int file = (int)gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    append(kind, number, file);
    close_own(file);
}

static bool append_descriptor(uint32_t descriptor, void *context) {
    (void)context;
    char path[GP_PROC_PATH], target[32];
    gp_proc_path(path, "/proc/self/fd/", descriptor, "");
    const long length = gp_system(readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    const bool is_epoll = strcmp(target, "anon_inode:[eventpoll]") == 0;
    gp_proc_path(path, "/proc/self/fdinfo/", descriptor, "");
    if (is_epoll || strcmp(target, "anon_inode:[io_uring]") == 0)
        append_file(is_epoll ? GP_SEARCH_EPOLL : GP_SEARCH_URING, descriptor, path);
    return true;
}

void gp_kernel_texts_read(gp_process_memory memory, uint32_t process) {
    char path[GP_PROC_PATH];
    texts = gp_arena_allocate(TEXTS_MOST);
    if (!texts)
        return;
    if (!gp_numbers_each("/proc/self/fd", append_descriptor, NULL))
        append(GP_SEARCH_EPOLL, GP_SEARCH_ALL_DESCRIPTORS, -1);
    // The timers are not the copy's.
    gp_proc_path(path, "/proc/", process, "/timers");
    append_file(GP_SEARCH_TIMERS, 0, path);
    if (append(GP_SEARCH_SMAPS, 0, memory.smaps))
        append(GP_SEARCH_SMAPS, 0, memory.rollup);
}

void gp_kernel_texts_send(gp_search_stream *stream) {
    for (size_t at = 0; at < used;) {
        gp_search_message message = *(const gp_search_message *)(texts + at);
        size_t left = message.size;
        at += sizeof message;
        do {
            message.size = left < GP_SEARCH_MOST_SAID ? (uint32_t)left : GP_SEARCH_MOST_SAID;
            gp_search_send(stream, message, texts + at);
            at += message.size;
            left -= message.size;
        } while (left > 0);
        at = (at + 7) & ~(size_t)7;
    }
}
