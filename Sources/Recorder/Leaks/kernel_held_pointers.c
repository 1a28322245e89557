#include "roots.h"

#include <stddef.h>
#include <string.h>

#include "proc_path.h"
#include "system.h"
#include "task_list.h"
#include "words.h"

enum { WORDS_MOST = 1 << 20 };

static uintptr_t *words;
static size_t count;

// Looks for `key`, then for `mark` where there is one, then for a number. The text comes in pieces.
typedef struct {
    const char *key;
    char mark;
    uint8_t base;  // 10 or 16
    enum { IN_KEY, BEFORE_MARK, BEFORE_NUMBER, IN_NUMBER } part;
    size_t matched;  // of the key
    uintptr_t number;
} number_reader;

static int digit_of(char byte, unsigned base) {
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    return base == 16 && byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static void read_key(number_reader *reader, char byte) {
    reader->matched = byte == reader->key[reader->matched] ? reader->matched + 1 : byte == reader->key[0];
    if (!reader->key[reader->matched])
        reader->part = reader->mark ? BEFORE_MARK : BEFORE_NUMBER;
}

static void read_byte(number_reader *reader, char byte) {
    int digit = digit_of(byte, reader->base);
    if (reader->part == IN_KEY) {
        read_key(reader, byte);
    } else if (reader->part == BEFORE_MARK) {
        reader->part = byte == reader->mark ? BEFORE_NUMBER : BEFORE_MARK;
    } else if (digit >= 0) {
        reader->number = reader->number * reader->base + (uintptr_t)digit;
        reader->part = IN_NUMBER;
    } else if (reader->part == IN_NUMBER || byte != ' ') {
        if (reader->number && count < WORDS_MOST)
            words[count++] = reader->number;
        else if (reader->number)
            gp_unread_note_kernel("the kernel holds too many words for the program");
        *reader = (number_reader){.key = reader->key, .mark = reader->mark, .base = reader->base};
    }
}

// False: the file cannot be read.
static bool read_numbers(const char *path, const char *key, char mark, uint8_t base) {
    long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    char buffer[4096];
    number_reader reader = {.key = key, .mark = mark, .base = base};
    long size;
    while ((size = gp_system(read, file, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < size; i++)
            read_byte(&reader, buffer[i]);
    gp_system(close, file);
    return size == 0;
}

// The number in the line “NAME:\t123” that is read last of several; false: there is no such line.
static bool read_line(const char *path, const char *name, uint64_t *value) {
    static char text[1 << 16];
    gp_word line;
    bool found = false;
    if (gp_read_text(path, text, sizeof text) == 0)
        return false;
    for (const char *rest = text; gp_word_next(&rest, "\n", &line);)
        if (line.length > strlen(name) && memcmp(line.text, name, strlen(name)) == 0) {
            *value = gp_number_at(line.text + strlen(name));
            found = true;
        }
    return found;
}

// The kernel alone knows what an operation that is under way hands back, and into which memory it reads.
static bool is_under_way(const char *path) {
    uint64_t taken, done;
    return !read_line(path, "CachedSqHead:\t", &taken) || !read_line(path, "CachedCqTail:\t", &done) ||
           (uint32_t)taken != (uint32_t)done;
}

// Lines of “tfd: 5 events: 19 data: 55d0c0ffee10 …”.
static void read_epoll(const char *path) {
    if (!read_numbers(path, "data:", 0, 16))
        gp_unread_note_kernel("the data of the program's epoll sets could not be read");
}

// Lines of “3: opcode:READ, …, user_data:139…” and, of registered buffers, “    0: 0x55d0c0ffee10/4096”.
static void read_uring(const char *path) {
    if (!read_numbers(path, "user_data:", 0, 10) || !read_numbers(path, ": 0x", 0, 16) || is_under_way(path))
        gp_unread_note_kernel("the program has begun operations on an io_uring whose memory the kernel alone knows");
}

static bool read_descriptor(uint32_t descriptor, void *context) {
    (void)context;
    char path[GP_PROC_PATH], target[32];
    gp_proc_path(path, "/proc/self/fd/", descriptor, "");
    const long length = gp_system(readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    gp_proc_path(path, "/proc/self/fdinfo/", descriptor, "");
    if (strcmp(target, "anon_inode:[eventpoll]") == 0)
        read_epoll(path);
    else if (strcmp(target, "anon_inode:[io_uring]") == 0)
        read_uring(path);
    return true;
}

// Lines of “signal: 10/000055d0c0ffee10”. Not every kernel lists timers.
static void read_timers(uint32_t process) {
    char path[GP_PROC_PATH];
    gp_proc_path(path, "/proc/", process, "/timers");
    read_numbers(path, "signal:", '/', 16);
}

void gp_kernel_held_pointers_read(uint32_t process) {
    words = gp_system_pages(WORDS_MOST * sizeof *words);
    if (!words || !gp_numbers_each("/proc/self/fd", read_descriptor, NULL))
        gp_unread_note_kernel("what the kernel holds for the program could not be read");
    if (words)
        read_timers(process);
}

void gp_kernel_held_pointers_each(gp_range_visitor *visit, void *context) {
    if (words)
        visit((uintptr_t)words, (uintptr_t)(words + count), context);
}
