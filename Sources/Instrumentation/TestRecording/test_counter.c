#include <stdatomic.h>

#include "CRecorderInterface.h"
#include "CTestRecording.h"

// Of libswift_Concurrency: the place of the value that the current task, or else the thread, has for a task-local
// variable; NULL: none. Reads memory, neither allocates nor locks.
extern const void *swift_task_localValueGet(const void *key) __attribute__((swiftcall));

static const void *_Atomic variable;

static uint64_t counter_of_task(void) {
    const void *key = atomic_load_explicit(&variable, memory_order_relaxed);
    const uint64_t *value = key ? swift_task_localValueGet(key) : 0;
    return value ? *value : 0;
}

uint64_t gp_test_counter_begin(const void *task_local) {
    atomic_store(&variable, task_local);
    return gp_counter_begin(counter_of_task);
}
