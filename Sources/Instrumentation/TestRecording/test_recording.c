#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CTestRecording.h"
#include "own_recording.h"

static char chosen[4096];
static const char file_name[] = "/trace.gptrace";

enum { FOLDERS_MOST = 100 };  // left by killed processes of the same number

// Adds “-N”, and the digits need no more memory than a number of a process.
static size_t add_number(char *path, size_t length, long number) {
    char digits[24];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    path[length++] = '-';
    while (count > 0)
        path[length++] = digits[--count];
    path[length] = 0;
    return length;
}

// A new folder for this user alone, so that nobody else can plant a link at the trace's name. 0: none can be made.
static size_t make_folder(char *path, size_t length) {
    for (long number = 1; number <= FOLDERS_MOST; number++) {
        const size_t end = add_number(path, length, number);
        if (mkdir(path, 0700) == 0)
            return end;
        if (errno != EEXIST)
            return 0;
    }
    return 0;
}

// Called before the first allocation: writes into the given memory alone.
bool gp_own_recording(char *path, size_t capacity) {
    if (gp_own_variable("GAMEPROF_TESTING") && strcmp(gp_own_variable("GAMEPROF_TESTING"), "off") == 0)
        return false;
    const char *folder = gp_own_variable("TMPDIR"), *const use = "/gameprof-tests";
    if (!folder || !*folder)
        folder = "/tmp";
    const size_t length = strlen(folder), numbers = 2 * 24;
    if (length + strlen(use) + numbers + sizeof file_name > (capacity < sizeof chosen ? capacity : sizeof chosen))
        return false;
    memcpy(path, folder, length);
    memcpy(path + length, use, strlen(use));
    const size_t end = make_folder(path, add_number(path, length + strlen(use), getpid()));
    if (end == 0)
        return false;
    memcpy(path + end, file_name, sizeof file_name);
    memcpy(chosen, path, end + sizeof file_name);
    return true;
}

static pid_t owner;

// Not in a forked child that calls exit().
static void remove_files(void) {
    if (getpid() != owner)
        return;
    char other[sizeof chosen + 8];
    unlink(chosen);
    for (const char *ends[] = {".spool", ".error"}, **end = ends; end < ends + 2; end++) {
        snprintf(other, sizeof other, "%s%s", chosen, *end);
        unlink(other);
    }
    chosen[strlen(chosen) - strlen(file_name)] = 0;
    rmdir(chosen);
}

// After the recorder's own handlers were registered, so before they run: what they still write has no name any more.
static void __attribute__((constructor(65535))) tidy_up_at_exit(void) {
    owner = getpid();
    if (chosen[0])
        atexit(remove_files);
}

const char *gp_test_trace(void) {
    return chosen[0] ? chosen : NULL;
}

__attribute__((noinline)) void gp_test_clear_stack(void) {
    char room[16 << 10];
    memset(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}
