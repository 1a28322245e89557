#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CTestRecording.h"
#include "own_recording.h"

static char chosen[4096];

// Called before the first allocation: writes into the given memory alone.
bool gp_own_recording(char *path, size_t capacity) {
    if (gp_own_variable("GAMEPROF_TESTING") && strcmp(gp_own_variable("GAMEPROF_TESTING"), "off") == 0)
        return false;
    const char *folder = gp_own_variable("TMPDIR");
    char digits[16];
    size_t count = 0;
    for (long pid = getpid(); pid > 0; pid /= 10)
        digits[count++] = (char)('0' + pid % 10);
    size_t length = 0;
    for (const char *parts[] = {folder && *folder ? folder : "/tmp", "/gameprof-tests-"}, **part = parts;
         part < parts + 2; part++) {
        size_t more = strlen(*part);
        if (length + more + count + sizeof ".gptrace" >= capacity || length + more >= sizeof chosen)
            return false;
        memcpy(path + length, *part, more);
        length += more;
    }
    while (count > 0)
        path[length++] = digits[--count];
    memcpy(path + length, ".gptrace", sizeof ".gptrace");
    if (length + sizeof ".gptrace" > sizeof chosen)
        return false;
    memcpy(chosen, path, length + sizeof ".gptrace");
    return true;
}

static void remove_files(void) {
    char other[sizeof chosen + 8];
    unlink(chosen);
    for (const char *ends[] = {".spool", ".error"}, **end = ends; end < ends + 2; end++) {
        snprintf(other, sizeof other, "%s%s", chosen, *end);
        unlink(other);
    }
}

// After the recorder's own handlers were registered, so before they run: what they still write has no name any more.
static void __attribute__((constructor(65535))) tidy_up_at_exit(void) {
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
