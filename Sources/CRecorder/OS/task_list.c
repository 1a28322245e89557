#include "task_list.h"

#include <stddef.h>

#include "system.h"
#include "task_stat.h"
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

bool gp_task_has_ended(uint32_t id) {
    gp_task_stat stat;
    return !gp_task_stat_read(id, &stat);
}
