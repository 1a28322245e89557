#include "environment.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include "TraceFormat.h"
#include "read_clock.h"
#include "system.h"
#include "task_list.h"

// The recorder locks its spool (spool.c); the mapping of it holds the lock until the process ends.
bool gp_trace_is_being_written(const char *path) {
    char spool[4096 + sizeof ".spool"];
    size_t length = strlen(path);
    if (length > 4096)
        return false;
    memcpy(spool, path, length);
    strcpy(spool + length, ".spool");
    long file = gp_system(openat, AT_FDCWD, spool, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return false;
    bool is_locked = gp_system(flock, file, LOCK_EX | LOCK_NB) == -EWOULDBLOCK;
    gp_system(close, file);
    return is_locked;
}

// A number alone does not tell a process: every run in a container may be number 1. So the trace must be younger too.
static bool was_written_here(const char *path) {
    long file = gp_system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    gp_file_header header;
    bool is_trace = gp_system(pread64, file, &header, sizeof header, 0) == sizeof header &&
                    memcmp(header.magic, GP_TRACE_MAGIC, sizeof header.magic) == 0;
    gp_system(close, file);
    uint64_t process = (uint64_t)gp_system(getpid, 0);
    gp_task_stat stat;
    if (!is_trace || header.pid != process || !gp_task_stat_read((uint32_t)process, &stat))
        return false;
    uint64_t age = gp_read_clock(CLOCK_BOOTTIME) - stat.start_ns;
    return header.start_unix_ns + age > gp_read_clock(CLOCK_REALTIME);
}

bool gp_trace_is_taken(const char *path) {
    return gp_trace_is_being_written(path) || was_written_here(path);
}
