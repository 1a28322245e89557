#include "thread_names.h"

#include "system.h"
#include "thread.h"

static char *append(char *place, const char *text) {
    while (*text)
        *place++ = *text++;
    return place;
}

static char *append_number(char *place, uint32_t number) {
    char digits[10];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0)
        *place++ = digits[--count];
    return place;
}

void gp_thread_write_name(gp_thread *writing, const gp_thread *named) {
    char path[64], name[32];
    char *end = append(append_number(append(path, "/proc/self/task/"), named->id), "/comm");
    *end = 0;
    long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    long length = gp_system(read, file, name, sizeof name);
    gp_system(close, file);
    if (length > 0 && name[length - 1] == '\n')
        length--;
    if (length <= 0)
        return;
    gp_thread_name record = {.header.kind = GP_THREAD_NAME, .thread = named->id};
    gp_write_record(writing, &record, sizeof record, name, (size_t)length);
}
