#include "task.h"

#include "safe_read.h"

// The name that a program gave a task: Task(name:). Swift 6.2 and later keep it in a status record, the kind of record that
// also names child tasks and cancellation handlers.
enum {
    TASK_FLAGS = 0x20,  // 32 bits of swift::JobFlags
    HAS_INITIAL_NAME = 1 << 30,
    TASK_STATUS_RECORD = 0x68,  // the innermost record
    RECORD_IS_NAME = 6,
    RECORDS_MOST = 64,
};

typedef struct {
    uintptr_t kind, outer, name;  // swift::TaskNameStatusRecord; others have no name there
} status_record;

// A thread that suspends its task names it a moment longer: it may run on another, end and be freed meanwhile.
bool gp_task_has_name(uintptr_t task) {
    uint32_t flags;
    return gp_safe_read(task + TASK_FLAGS, &flags, sizeof flags) && flags & HAS_INITIAL_NAME;
}

size_t gp_task_name(uintptr_t task, char *name, size_t capacity) {
    status_record record = {0};
    gp_safe_read(task + TASK_STATUS_RECORD, &record.outer, sizeof record.outer);
    for (int i = 0; i < RECORDS_MOST && record.outer; i++) {
        if (!gp_safe_read(record.outer, &record, sizeof record))
            return 0;
        if ((record.kind & 0xff) == RECORD_IS_NAME)
            return gp_safe_text(record.name, name, capacity);
    }
    return 0;
}
