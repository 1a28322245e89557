#include "freeze.h"

#include <string.h>

#include "proc_path.h"
#include "words.h"

enum { TEXT = 8192, PATH = 4096 };

static const uint64_t NO_LIMIT = UINT64_MAX, KIB = 1024;

// The files of one version of cgroups.
typedef struct {
    const char *folder, *most, *used, *idle;
} files;

static const files version_1 = {"/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file "};
static const files version_2 = {"", "/memory.max", "/memory.current", "inactive_file "};

// The number behind `name` at the beginning of a line; 0: there is none.
static uint64_t value_of(const char *text, const char *name) {
    for (gp_word line; gp_word_next(&text, "\n", &line);)
        if (strncmp(line.text, name, strlen(name)) == 0) {
            const char *number = line.text + strlen(name);
            number += strspn(number, " ");
            return gp_number_at(number);
        }
    return 0;
}

static bool read_file(const char *folder, const char *name, char text[TEXT]) {
    char path[PATH];
    if (strlen(folder) + strlen(name) >= sizeof path)
        return false;
    strcpy(path, folder);
    strcat(path, name);
    return gp_read_text(path, text, TEXT);
}

static uint64_t room_of(const char *folder, const files *version) {
    char text[TEXT];
    // “max”: it has no limit of its own.
    if (!read_file(folder, version->most, text) || text[0] < '0' || text[0] > '9')
        return NO_LIMIT;
    const uint64_t most = gp_number_at(text);
    if (!read_file(folder, version->used, text))
        return NO_LIMIT;
    const uint64_t used = gp_number_at(text);
    const uint64_t idle = read_file(folder, "/memory.stat", text) ? value_of(text, version->idle) : 0;
    const uint64_t held = used > idle ? used - idle : 0;
    return most > held ? most - held : 0;
}

// In a container the path may be of the machine's: then the mount's own root is the container's.
static uint64_t least_room(const char *root, const files *version, gp_word path) {
    char folder[PATH];
    const size_t base = strlen(root) + strlen(version->folder);
    if (base + path.length >= sizeof folder)
        return NO_LIMIT;
    strcpy(folder, root);
    strcat(folder, version->folder);
    memcpy(folder + base, path.text, path.length);
    folder[base + path.length] = 0;
    uint64_t least = NO_LIMIT;
    for (;;) {
        const uint64_t room = room_of(folder, version);
        least = room < least ? room : least;
        char *const last = strrchr(folder + base, '/');
        if (!last)
            return least;
        *last = 0;
    }
}

static bool has_memory(gp_word controllers) {
    const char *list = controllers.text;
    const char *const end = controllers.text + controllers.length;
    for (gp_word word; list < end && gp_word_next(&list, ",:", &word);)
        if (gp_word_is(word, "memory"))
            return true;
    return false;
}

uint64_t gp_memory_room_of_cgroups(const char *membership, const char *root) {
    uint64_t least = NO_LIMIT;
    for (gp_word line; gp_word_next(&membership, "\n", &line);) {
        // NUMBER:CONTROLLERS:PATH
        const char *rest = line.text;
        gp_word number, controllers;
        if (!gp_word_next(&rest, ":", &number) || !gp_word_next(&rest, ":", &controllers) ||
            rest > line.text + line.length)
            continue;
        const gp_word path = {rest, (size_t)(line.text + line.length - rest)};
        const bool is_second = controllers.length == 0;
        if (!is_second && !has_memory(controllers))
            continue;
        const uint64_t room = least_room(root, is_second ? &version_2 : &version_1, path);
        least = room < least ? room : least;
    }
    return least;
}

uint64_t gp_memory_room(void) {
    char text[TEXT];
    const uint64_t machine = gp_read_text("/proc/meminfo", text, TEXT) ? value_of(text, "MemAvailable:") * KIB : 0;
    const uint64_t cgroups =
        gp_read_text("/proc/self/cgroup", text, TEXT) ? gp_memory_room_of_cgroups(text, "/sys/fs/cgroup") : NO_LIMIT;
    return machine && machine < cgroups ? machine : cgroups;
}
