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

static uint64_t room_of(const char *folder, const files *version) {
    char text[TEXT];
    // “max”: it has no limit of its own.
    if (!gp_read_text_in(folder, version->most, text, TEXT) || text[0] < '0' || text[0] > '9')
        return NO_LIMIT;
    const uint64_t most = gp_number_at(text);
    if (!gp_read_text_in(folder, version->used, text, TEXT))
        return NO_LIMIT;
    const uint64_t used = gp_number_at(text);
    gp_read_text_in(folder, "/memory.stat", text, TEXT);
    const uint64_t idle = gp_number_behind(text, version->idle);
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
    gp_read_text("/proc/meminfo", text, TEXT);
    const uint64_t machine = gp_number_behind(text, "MemAvailable:") * KIB;
    const uint64_t cgroups =
        gp_read_text("/proc/self/cgroup", text, TEXT) ? gp_memory_room_of_cgroups(text, "/sys/fs/cgroup") : NO_LIMIT;
    return machine && machine < cgroups ? machine : cgroups;
}
