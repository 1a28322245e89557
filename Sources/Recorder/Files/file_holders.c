#include "file_holders.h"

#include <fcntl.h>
#include <string.h>

#include "TraceFormat.h"
#include "proc_path.h"
#include "recording_state.h"
#include "system.h"
#include "task_list.h"
#include "words.h"

enum { TEXT = 128, DESCRIPTORS_MOST = 20000, WANTED_MOST = 64 };

static gp_file_holder wanted[WANTED_MOST];
static uint32_t count;

// The process whose descriptors are looked at.
typedef struct {
    uint32_t process, looked_at;
    char folder[GP_PROC_PATH];  // "/proc/PID/fd/"
} search;

// "pipe:[123]", "socket:[123]"
static uint64_t inode_of(const char *path) {
    char target[TEXT];
    const long length = gp_system(readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    const bool is_end = strncmp(target, "pipe:[", 6) == 0 || strncmp(target, "socket:[", 8) == 0;
    return is_end ? gp_number_at(strchr(target, '[') + 1) : 0;
}

bool gp_file_is_locked(uint32_t descriptor) {
    char path[GP_PROC_PATH], text[2 * TEXT];
    gp_proc_path(path, "/proc/self/fdinfo/", descriptor, "");
    gp_read_text(path, text, sizeof text);
    return strstr(text, "lock:") != NULL;
}

void gp_file_holders_begin(void) {
    count = 0;
}

void gp_file_holders_add(uint32_t descriptor) {
    char path[GP_PROC_PATH];
    gp_proc_path(path, "/proc/self/fd/", descriptor, "");
    const uint64_t inode = count < WANTED_MOST ? inode_of(path) : 0;
    if (inode)
        wanted[count++] = (gp_file_holder){.descriptor = descriptor, .inode = inode};
}

const gp_file_holder *gp_file_holder_of(uint32_t descriptor) {
    for (uint32_t i = 0; i < count; i++)
        if (wanted[i].descriptor == descriptor && wanted[i].process)
            return &wanted[i];
    return NULL;
}

// "flags:	0100001": octal, as open takes them.
static uint8_t ways_of(uint32_t process, uint32_t descriptor) {
    char path[GP_PROC_PATH], text[TEXT];
    gp_proc_path(path, "/proc/", process, "/fdinfo/");
    gp_number_write(path + strlen(path), descriptor);
    gp_read_text(path, text, sizeof text);
    const char *const flags = strstr(text, "flags:");
    const size_t length = flags ? strcspn(flags, "\n") : 0;
    enum { BOTH = GP_OPEN_HELD_FOR_READING | GP_OPEN_HELD_FOR_WRITING };
    static const uint8_t ways[] = {GP_OPEN_HELD_FOR_READING, GP_OPEN_HELD_FOR_WRITING, BOTH, BOTH};
    return length ? ways[flags[length - 1] & 3] : BOTH;
}

static void read_name(gp_file_holder *holder) {
    char path[GP_PROC_PATH], text[TEXT];
    gp_proc_path(path, "/proc/", holder->process, "/comm");
    const size_t length = gp_read_text(path, text, sizeof text) ? strcspn(text, "\n") : 0;
    const size_t kept = length < GP_HOLDER_NAME - 1 ? length : GP_HOLDER_NAME - 1;
    memcpy(holder->name, text, kept);
    holder->name[kept] = 0;
}

// The first process that has it is named.
static bool look_at(uint32_t descriptor, void *context) {
    search *s = context;
    char path[GP_PROC_PATH];
    strcpy(path, s->folder);
    gp_number_write(path + strlen(path), descriptor);
    const uint64_t inode = inode_of(path);
    s->looked_at++;
    for (uint32_t i = 0; inode && i < count; i++) {
        gp_file_holder *const holder = &wanted[i];
        if (holder->inode != inode || (holder->process && holder->process != s->process))
            continue;
        if (!holder->process) {
            holder->process = s->process;
            read_name(holder);
        }
        holder->flags |= ways_of(s->process, descriptor);
    }
    return s->looked_at < DESCRIPTORS_MOST;
}

static bool look_into(uint32_t process, void *context) {
    search *s = context;
    if (process == gp_recording.process)
        return true;
    s->process = process;
    gp_proc_path(s->folder, "/proc/", process, "/fd/");
    gp_numbers_each(s->folder, look_at, s);
    return s->looked_at < DESCRIPTORS_MOST;
}

void gp_file_holders_find(void) {
    search s = {0};
    if (count > 0)
        gp_numbers_each("/proc", look_into, &s);
}
