#include "work.h"

#include <stdbool.h>
#include <string.h>

#include "../hooks/runtime_symbols.h"
#include "../recorder/careful_read.h"
#include "../runtime/task_name.h"
#include "../runtime/thread_local.h"
#include "images.h"

// The beginning of libdispatch's struct dispatch_tsd, its only thread-local variable.
typedef struct {
    int32_t thread;  // 0: not prepared yet
    int32_t unused;
    uintptr_t queue;  // that the thread drains, 0: none
} dispatch_thread;

enum { QUEUE_LABEL = 0x48 };

static gp_thread_local task_variable, dispatch_variable;
static bool knows_tasks, knows_queues;
static uintptr_t dispatch_start, dispatch_end;

void gp_work_prepare(void) {
    static const char *const names[] = {"swift_task_getCurrent", "dispatch_queue_get_label"};
    uintptr_t functions[2];
    gp_runtime_symbols(names, functions, 2);
    knows_tasks = functions[0] && gp_thread_local_of_getter(functions[0], &task_variable);
    // Of a libdispatch that is part of the program it is not known which of the program's variables is the one.
    const gp_image_info *dispatch = functions[1] ? gp_image_find(NULL, functions[1]) : NULL;
    knows_queues = dispatch && gp_image_is_called(dispatch, "libdispatch.so") &&
                   gp_thread_local_first(functions[1], &dispatch_variable);
    dispatch_start = dispatch ? dispatch->start : 0;
    dispatch_end = dispatch ? dispatch->end : 0;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool name_task(gp_work_label *label) {
    uintptr_t variable = knows_tasks ? gp_thread_local_here(&task_variable) : 0;
    const uintptr_t task = variable ? *(const uintptr_t *)variable : 0;
    return task && gp_task_name(task, label->name, sizeof label->name) > 0;
}

static bool name_queue(uint32_t thread, gp_work_label *label) {
    uintptr_t variable = knows_queues ? gp_thread_local_here(&dispatch_variable) : 0;
    uintptr_t kind = 0, text = 0;
    dispatch_thread here;
    if (!variable)
        return false;
    memcpy(&here, (const void *)variable, sizeof here);
    // What begins with the thread's number and leads to an object of libdispatch's is what it is taken for.
    if ((uint32_t)here.thread != thread || !gp_careful_read(here.queue, &kind, sizeof kind) || kind < dispatch_start ||
        kind >= dispatch_end || !gp_careful_read(here.queue + QUEUE_LABEL, &text, sizeof text))
        return false;
    // The queues of the system's say no more than the thread's name does.
    return gp_careful_text(text, label->name, sizeof label->name) > 0 && !begins(label->name, "com.apple.root.") &&
           !begins(label->name, "com.apple.main-thread");
}

void gp_work_here(uint32_t thread, gp_work_label *label) {
    label->kind = name_task(label) ? GP_WORK_TASK : name_queue(thread, label) ? GP_WORK_QUEUE : GP_WORK_UNKNOWN;
    if (label->kind == GP_WORK_UNKNOWN)
        label->name[0] = 0;
}
