#include "roots.h"

#include <stddef.h>

#include "proc_path.h"
#include "system.h"
#include "task_list.h"

enum { WORDS_MOST = 1 << 20 };

static uintptr_t *words;
static size_t count;

// Looks for `key`, then for `mark` where there is one, then for a hexadecimal number. The text comes in pieces.
typedef struct {
    const char *key;
    char mark;
    enum { IN_KEY, BEFORE_MARK, BEFORE_NUMBER, IN_NUMBER } part;
    size_t matched;  // of the key
    uintptr_t number;
} number_reader;

static int digit_of(char byte) {
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static void read_key(number_reader *reader, char byte) {
    reader->matched = byte == reader->key[reader->matched] ? reader->matched + 1 : byte == reader->key[0];
    if (!reader->key[reader->matched])
        reader->part = reader->mark ? BEFORE_MARK : BEFORE_NUMBER;
}

static void read_byte(number_reader *reader, char byte) {
    int digit = digit_of(byte);
    if (reader->part == IN_KEY) {
        read_key(reader, byte);
    } else if (reader->part == BEFORE_MARK) {
        reader->part = byte == reader->mark ? BEFORE_NUMBER : BEFORE_MARK;
    } else if (digit >= 0) {
        reader->number = reader->number << 4 | (uintptr_t)digit;
        reader->part = IN_NUMBER;
    } else if (reader->part == IN_NUMBER || byte != ' ') {
        if (reader->number && count < WORDS_MOST)
            words[count++] = reader->number;
        else if (reader->number)
            gp_unread_note_kernel();
        *reader = (number_reader){.key = reader->key, .mark = reader->mark};
    }
}

// False: the file cannot be read.
static bool read_numbers(const char *path, const char *key, char mark) {
    long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    char buffer[4096];
    number_reader reader = {.key = key, .mark = mark};
    long size;
    while ((size = gp_system(read, file, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < size; i++)
            read_byte(&reader, buffer[i]);
    gp_system(close, file);
    return size == 0;
}

// Lines of “tfd: 5 events: 19 data: 55d0c0ffee10 …”.
static bool read_epoll(uint32_t descriptor, void *context) {
    (void)context;
    static const char wanted[] = "anon_inode:[eventpoll]";
    char path[GP_PROC_PATH], target[sizeof wanted];
    gp_proc_path(path, "/proc/self/fd/", descriptor, "");
    long length = gp_system(readlinkat, AT_FDCWD, path, target, sizeof target);
    if (length == sizeof wanted - 1 && memcmp(target, wanted, sizeof wanted - 1) == 0) {
        gp_proc_path(path, "/proc/self/fdinfo/", descriptor, "");
        if (!read_numbers(path, "data:", 0))
            gp_unread_note_kernel();
    }
    return true;
}

// Lines of “signal: 10/000055d0c0ffee10”. Not every kernel lists timers.
static void read_timers(uint32_t process) {
    char path[GP_PROC_PATH];
    gp_proc_path(path, "/proc/", process, "/timers");
    read_numbers(path, "signal:", '/');
}

void gp_kernel_held_pointers_each(uint32_t process, gp_range_visitor *visit, void *context) {
    if (!words) {
        words = gp_system_pages(WORDS_MOST * sizeof *words);
        if (!words || !gp_numbers_each("/proc/self/fd", read_epoll, NULL))
            gp_unread_note_kernel();
        if (!words)
            return;
        read_timers(process);
    }
    visit((uintptr_t)words, (uintptr_t)(words + count), context);
}
