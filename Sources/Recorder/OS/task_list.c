#include "task_list.h"

#include <errno.h>
#include <stddef.h>

#include "mapping.h"
#include "system.h"
#include "words.h"

typedef struct {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
} directory_entry;

bool gp_numbers_each(const char *path, bool (*visit)(uint32_t number, void *context), void *context) {
    int folder = (int)gp_system(openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    _Alignas(8) char buffer[4096];
    bool more = true;
    long count = 0;
    while (more && (count = gp_system(getdents64, folder, buffer, sizeof buffer)) > 0)
        for (long at = 0; more && at < count;) {
            const directory_entry *entry = (const directory_entry *)(buffer + at);
            bool is_number = entry->name[0] >= '0' && entry->name[0] <= '9';
            more = !is_number || visit((uint32_t)gp_number_at(entry->name), context);
            at += entry->size;
        }
    gp_system(close, folder);
    return count >= 0;
}

bool gp_task_each(bool (*visit)(uint32_t id, void *context), void *context) {
    return gp_numbers_each("/proc/self/task", visit, context);
}

const char *gp_task_list_obstacle(void) {
    const long file = gp_system(openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0)
        gp_system(close, file);
    switch (file < 0 ? -file : 0) {
    case EMFILE:
        return "no file descriptor was free for /proc/self/task (ulimit -n)";
    case ENFILE:
        return "the machine has too many files open to read /proc/self/task";
    case ENOENT:
    case ENOTDIR:
        return "there is no /proc where the program runs (chroot, or not mounted)";
    case EACCES:
    case EPERM:
        return "the program may not open /proc/self/task";
    default:
        return "the program's threads could not be listed (/proc/self/task)";
    }
}

// Whether the thread's stack and code lie in none of the mappings that the process sees: it belongs to an emulator that runs
// the process, and answers no signal of it.
static bool is_foreign(uint32_t id) {
    gp_task_call call;
    gp_mapping mapping;
    return gp_task_call_read(id, &call) && call.number >= 0 && call.sp && call.pc &&
           !gp_mapping_containing(call.sp, &mapping) && !gp_mapping_containing(call.pc, &mapping) &&
           gp_mapping_containing((uintptr_t)&call, &mapping);
}

bool gp_task_has_ended(uint32_t id) {
    gp_task_stat stat;
    return !gp_task_stat_read(id, &stat) || stat.is_kernels || (GP_MAY_BE_EMULATED && is_foreign(id));
}
