// When memory is short for this process: in its cgroups, or above a limit of the program's own.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { GP_CGROUP_PATH = 4096 };

typedef struct {
    char folder[GP_CGROUP_PATH];  // of the process's cgroup, version 2; empty: there is none
    uint64_t limit;  // of resident bytes, 0: none
    bool is_above;  // the limit, since the last warning
    uint64_t high;  // how often it and those above it were held back at memory.high
    uint64_t stalled_us;  // for how long some of its threads waited for memory
    uint64_t looked_ns, quiet_until_ns;
} gp_memory_pressure;

// Looks at this process; the first look only begins. True: as gp_memory_pressure_is_new.
bool gp_memory_pressure_look(gp_memory_pressure *pressure, uint64_t now_ns);

// `membership`: the text of /proc/self/cgroup; `root`: where cgroups of version 2 are mounted. What was before does not count.
void gp_memory_pressure_begin(gp_memory_pressure *pressure, const char *membership, const char *root, uint64_t now_ns);

// Looks anew. True: more than a tenth of the time since the last look was spent waiting for memory, a cgroup was held back at
// memory.high, or `resident` bytes have come to the limit, having been a tenth below it before. At most once a second.
bool gp_memory_pressure_is_new(gp_memory_pressure *pressure, uint64_t resident, uint64_t now_ns);

// The least bytes that the process's cgroup of either version, and those above it, may have, and from which on they are held back
// (version 2). 0: there is no such limit. `membership`, `root`: as above.
typedef struct {
    uint64_t most, high;
} gp_memory_group_limits;

gp_memory_group_limits gp_memory_group_limits_read(const char *membership, const char *root);
