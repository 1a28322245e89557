#include "program_record.h"

#include <stdatomic.h>

#include "arena.h"
#include "proc_path.h"
#include "recording.h"
#include "system.h"
#include "thread.h"

enum { GP_STRINGS_MOST = 60000 };

#ifdef GP_PRELOADED
enum { GP_LINKED = 0 };
#else
enum { GP_LINKED = 1 };
#endif

void gp_program_write(gp_thread *thread, uint32_t instruments, bool is_late) {
    static char *strings;  // a process may be recorded again and again
    if (!strings)
        strings = gp_arena_allocate(GP_STRINGS_MOST);
    if (!strings)
        return;
    long length = gp_system(readlinkat, AT_FDCWD, "/proc/self/exe", strings, 4096);
    size_t used = length > 0 ? (size_t)length : 0;
    strings[used++] = 0;
    used += gp_read_text("/proc/self/cmdline", strings + used, GP_STRINGS_MOST - used);
    gp_program record = {
        .header = {.kind = GP_PROGRAM, .flags = is_late},
        .pid = (uint32_t)gp_system(getpid, 0),
        .parent = (uint32_t)gp_system(getppid, 0),
        .instruments = instruments,
        .linked = GP_LINKED,
    };
    gp_write_record(thread, &record, sizeof record, strings, used);
}

void gp_program_write_thread_names(gp_thread *thread) {
    for (gp_thread *other = gp_thread_first(); other; other = other->next)
        if (atomic_load(&other->alive) && !other->is_hidden)
            gp_thread_write_name(thread, other);
}

void gp_program_write_exit(gp_thread *thread, int status, uint64_t ended) {
    gp_program_write_thread_names(thread);
    if (status == GP_STATUS_UNKNOWN)
        return;
    gp_program_exit record = {
        .header = {.kind = GP_PROGRAM_EXIT, .flags = status < 0},
        .status = status < 0 ? -status : status,
        .wall_ns = ended,
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}
