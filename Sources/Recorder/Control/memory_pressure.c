#include "memory_pressure.h"

#include <string.h>
#include <unistd.h>

#include "proc_path.h"
#include "read_clock.h"
#include "words.h"

enum { TEXT = 4096, QUIET_MS = 1000 };

// As version 1 of cgroups writes it.
static const uint64_t NO_LIMIT = 1ull << 60;

static void note_least(uint64_t *least, const char *folder, const char *name, char text[TEXT]) {
    const uint64_t found = gp_read_text_in(folder, name, text, TEXT) ? gp_number_at(text) : 0;  // 0: "max"
    if (found > 0 && found < NO_LIMIT && (*least == 0 || found < *least))
        *least = found;
}

// "low 0\nhigh 12\n…", of each cgroup from this one up. That of its own limit: the file without `.local` counts those of the
// cgroups below as well, which may be neighbours of this one.
static uint64_t times_high(const char *of) {
    char folder[GP_CGROUP_PATH], text[TEXT];
    strcpy(folder, of);
    uint64_t times = 0;
    for (char *last; (last = strrchr(folder, '/')); *last = 0)
        if (gp_read_text_in(folder, "/memory.events.local", text, TEXT))
            times += gp_number_behind(text, "high ");
    return times;
}

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=12\nfull …"
static uint64_t microseconds_stalled(const char *folder) {
    char text[TEXT];
    gp_read_text_in(folder, "/memory.pressure", text, TEXT);
    const char *total = strstr(text, "total=");
    return total ? gp_number_at(total + sizeof "total=" - 1) : 0;
}

// In a container the path may be of the machine's: then the mount's own root is the container's. `file`: that a cgroup has.
static void find_folder(char folder[GP_CGROUP_PATH], const char *membership, const char *kind, const char *root,
                        const char *file) {
    char text[TEXT];
    folder[0] = 0;
    for (gp_word line; gp_word_next(&membership, "\n", &line);) {
        const char *const found = strstr(line.text, kind);
        const size_t length = strlen(root);
        if (!found || found >= line.text + line.length || (kind[0] == '0' && found != line.text))
            continue;
        const char *const path = found + strlen(kind);
        const size_t rest = (size_t)(line.text + line.length - path);
        if (path > line.text + line.length || rest >= GP_CGROUP_PATH - length)
            continue;
        strcpy(folder, root);
        memcpy(folder + length, path, rest);
        folder[length + rest] = 0;
        if (!gp_read_text_in(folder, file, text, TEXT))
            folder[length] = 0;
    }
}

static void find_second(char folder[GP_CGROUP_PATH], const char *membership, const char *root) {
    find_folder(folder, membership, "0::", root, "/memory.events.local");
}

// Notes the limits of a folder and of those above it. Its path is cut off on the way.
static void note_limits(gp_memory_group_limits *limits, char *folder, const char *most) {
    static char text[TEXT];
    for (char *last; (last = strrchr(folder, '/')); *last = 0) {
        note_least(&limits->most, folder, most, text);
        note_least(&limits->high, folder, "/memory.high", text);
    }
}

// A thread that calls fork may have a small stack.
gp_memory_group_limits gp_memory_group_limits_read(const char *membership, const char *root) {
    static const char first_limit[] = "/memory.limit_in_bytes";
    static char folder[GP_CGROUP_PATH], first_root[GP_CGROUP_PATH];
    gp_memory_group_limits limits = {0};
    find_second(folder, membership, root);
    note_limits(&limits, folder, "/memory.max");
    if (limits.most == 0 && strlen(root) + sizeof "/memory" <= sizeof first_root) {
        strcpy(first_root, root);
        strcat(first_root, "/memory");
        find_folder(folder, membership, "memory:", first_root, first_limit);
        note_limits(&limits, folder, first_limit);
    }
    return limits;
}

void gp_memory_pressure_begin(gp_memory_pressure *pressure, const char *membership, const char *root, uint64_t now_ns) {
    find_second(pressure->folder, membership, root);
    pressure->high = times_high(pressure->folder);
    pressure->stalled_us = microseconds_stalled(pressure->folder);
    pressure->looked_ns = now_ns;
    pressure->quiet_until_ns = 0;
    pressure->is_above = false;
}

bool gp_memory_pressure_is_new(gp_memory_pressure *pressure, uint64_t resident, uint64_t now_ns) {
    const uint64_t high = times_high(pressure->folder), stalled = microseconds_stalled(pressure->folder);
    const uint64_t elapsed_us = (now_ns - pressure->looked_ns) / 1000;
    const bool is_held = high > pressure->high;
    const bool is_stalled = stalled > pressure->stalled_us && stalled - pressure->stalled_us > elapsed_us / 10;
    const bool has_come = pressure->limit && resident >= pressure->limit && !pressure->is_above;
    pressure->high = high;
    pressure->stalled_us = stalled;
    pressure->looked_ns = now_ns;
    if (resident < pressure->limit - pressure->limit / 10)
        pressure->is_above = false;
    if (now_ns < pressure->quiet_until_ns || !(is_held || is_stalled || has_come))
        return false;
    pressure->is_above = pressure->limit && resident >= pressure->limit;
    pressure->quiet_until_ns = now_ns + QUIET_MS * GP_MILLISECOND_NS;
    return true;
}

// "size resident shared …", in pages. 0: not known.
static uint64_t resident_bytes(void) {
    char text[TEXT];
    const char *rest = text;
    gp_word size;
    const bool is_read = gp_read_text("/proc/self/statm", text, TEXT) && gp_word_next(&rest, " ", &size);
    return is_read ? gp_number_at(rest) * (uint64_t)getpagesize() : 0;
}

bool gp_memory_pressure_look(gp_memory_pressure *pressure, uint64_t now_ns) {
    char text[TEXT];
    if (pressure->looked_ns)
        return gp_memory_pressure_is_new(pressure, resident_bytes(), now_ns);
    gp_memory_pressure_begin(pressure, gp_read_text("/proc/self/cgroup", text, TEXT) ? text : "", "/sys/fs/cgroup",
                             now_ns);
    return false;
}
