#include "work_label.h"

#include <string.h>

#include "runtime_symbols.h"
#include "safe_read.h"
#include "task.h"
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

void gp_work_label_prepare(void) {
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

// The task that the thread runs, if it has a name, 0: none.
static uintptr_t named_task(void) {
    uintptr_t variable = knows_tasks ? gp_thread_local_here(&task_variable) : 0;
    const uintptr_t task = variable ? *(const uintptr_t *)variable : 0;
    return task && gp_task_has_name(task) ? task : 0;
}

// The queue that the thread drains, 0: none is known.
static uintptr_t drained_queue(uint32_t thread) {
    uintptr_t variable = knows_queues ? gp_thread_local_here(&dispatch_variable) : 0;
    dispatch_thread here;
    if (!variable)
        return 0;
    memcpy(&here, (const void *)variable, sizeof here);
    return (uint32_t)here.thread == thread ? here.queue : 0;
}

// Whether the queue still has the label of the last sample: one system call.
static bool is_unchanged(uintptr_t queue, const gp_work_label *label) {
    uintptr_t text = 0;
    char name[GP_WORK_NAME_BYTES];
    const size_t size = strlen(label->name) + 1;
    const gp_safe_piece pieces[] = {{queue + QUEUE_LABEL, &text, sizeof text}, {label->text, name, size}};
    return queue && queue == label->queue && gp_safe_read_pieces(pieces, 2) == 2 && text == label->text &&
           memcmp(name, label->name, size) == 0;
}

// What begins with the thread's number and leads to an object of libdispatch's is what it is taken for.
static bool name_queue(uintptr_t queue, gp_work_label *label) {
    uintptr_t kind = 0, text = 0;
    if (!gp_safe_read(queue, &kind, sizeof kind) || kind < dispatch_start || kind >= dispatch_end ||
        !gp_safe_read(queue + QUEUE_LABEL, &text, sizeof text))
        return false;
    size_t length = gp_safe_text(text, label->name, sizeof label->name);
    if (length > 0 && length + 1 < sizeof label->name) {
        label->queue = queue;
        label->text = text;
    }
    return length > 0;
}

// The queues of the system's say no more than the thread's name does.
static bool is_of_system(const char *queue) {
    return begins(queue, "com.apple.root.") || begins(queue, "com.apple.main-thread");
}

bool gp_work_label_changed(uint32_t thread, gp_work_label *label) {
    uintptr_t task = named_task(), queue = drained_queue(thread);
    if (!task && is_unchanged(queue, label))
        return false;
    gp_work_label now = {.kind = GP_WORK_UNKNOWN};
    if (task && gp_task_name(task, now.name, sizeof now.name) > 0)
        now.kind = GP_WORK_TASK;
    else if (queue && name_queue(queue, &now) && !is_of_system(now.name))
        now.kind = GP_WORK_QUEUE;
    bool changed = now.kind != label->kind || (now.kind != GP_WORK_UNKNOWN && strcmp(now.name, label->name) != 0);
    *label = now;
    return changed;
}
