// How much memory this process may still take before the kernel ends one: of the machine, and of its memory cgroup and those
// above it.
#pragma once

#include <stdint.h>

// In bytes; what the kernel can take back at once (pages of files that nobody used lately) is counted in. UINT64_MAX: no limit is known.
// A few reads of files.
uint64_t gp_memory_room(void);

// Of the cgroups alone. `membership`: what /proc/self/cgroup says; `root`: where cgroups are mounted.
uint64_t gp_memory_room_of_cgroups(const char *membership, const char *root);
