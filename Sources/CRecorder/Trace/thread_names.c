#include "thread_names.h"

#include "task_stat.h"
#include "thread.h"

void gp_thread_write_name(gp_thread *writing, const gp_thread *named) {
    char name[32];
    long length = gp_task_file_read(named->id, "comm", name, sizeof name);
    if (length > 0 && name[length - 1] == '\n')
        length--;
    if (length <= 0)
        return;
    gp_thread_name record = {.header.kind = GP_THREAD_NAME, .thread = named->id};
    gp_write_record(writing, &record, sizeof record, name, (size_t)length);
}
