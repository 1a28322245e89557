// What the kernel says of a thread of this process, read from /proc without allocating.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char state;  // R runs, S sleeps, D waits for a disk …
    uint64_t system_ns;  // in steps of 10 ms
    uint64_t start_ns;  // since the machine started, in steps of 10 ms
} gp_task_stat;

// False: the thread has ended.
bool gp_task_stat_read(uint32_t thread, gp_task_stat *stat);

// A file below /proc/self/task/THREAD, read into `text` and closed with a NUL. How many bytes, 0: it cannot be read.
long gp_task_file_read(uint32_t thread, const char *name, char *text, long capacity);
