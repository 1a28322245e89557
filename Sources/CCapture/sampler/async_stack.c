#include "async_stack.h"

#include <stdbool.h>

#include "../hooks/runtime_symbols.h"
#include "../recorder/careful_read.h"
#include "../unwind/stack_tree.h"
#include "TraceFormat.h"
#include "call_site.h"
#include "images.h"

enum { CALLERS_MOST = 64, EXECUTOR_DEPTH = 24 };

// Functions of the runtime that lie around a job's own: where the runtime is part of the program they are known by name,
// else by the library that they lie in.
static const char *const names[] = {
    "swift_job_run",
    "_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE",
    "_ZL12completeTaskPN5swift12AsyncContextEPNS_10SwiftErrorE",
    "_ZL22completeTaskAndReleasePN5swift12AsyncContextEPNS_10SwiftErrorE",
    "_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE",
    "_ZL14future_adapterPN5swift12AsyncContextE",
    "_ZL18non_future_adapterPN5swift12AsyncContextE",
    "_ZL30task_group_wait_resume_adapterPN5swift12AsyncContextE",
    "_ZL31task_future_wait_resume_adapterPN5swift12AsyncContextE",
    "_ZL33task_wait_throwing_resume_adapterPN5swift12AsyncContextE",
};
enum { RUNTIME_FUNCTIONS = sizeof names / sizeof *names };
static uintptr_t functions[RUNTIME_FUNCTIONS];
#define JOB_RUN functions[0]
static const gp_image_info *concurrency;  // the library, NULL: none

void gp_async_stack_prepare(void) {
    gp_runtime_symbols(names, functions, RUNTIME_FUNCTIONS);
    const gp_image_info *image = JOB_RUN ? gp_image_find(NULL, JOB_RUN) : NULL;
    concurrency = image && gp_image_is_called(image, "libswift_Concurrency.so") ? image : NULL;
}

static bool is_runtime(uintptr_t pc) {
    if (concurrency)
        return pc >= concurrency->start && pc < concurrency->end;
    const uintptr_t function = gp_function_start(pc);
    for (int i = 0; function && i < RUNTIME_FUNCTIONS; i++)
        if (functions[i] == function)
            return true;
    return false;
}

// Index of the frame that the executor resumed, 0: the stack is not that of a job.
static uint32_t resumed_frame(const gp_stack_memo *memo) {
    uint32_t i = 0, most = memo->count < EXECUTOR_DEPTH ? memo->count : EXECUTOR_DEPTH;
    while (i < most &&
           !((!concurrency || is_runtime(memo->frames[i].pc)) && gp_function_start(memo->frames[i].pc - 1) == JOB_RUN))
        i++;
    if (i == most)
        return 0;
    while (i < memo->count && is_runtime(memo->frames[i].pc - 1))
        i++;
    return i < memo->count ? i : 0;
}

typedef struct {
    uintptr_t parent, resume;
} async_context;

static bool read_words(uintptr_t address, void *words, size_t size) {
    return address % 8 == 0 && gp_careful_read(address, words, size);
}

// The functions that go on when this one and its awaiting callers return, the nearest first.
static uint32_t awaiting_callers(uintptr_t fp, uintptr_t *resumes) {
    uintptr_t place = 0;
    uint32_t count = 0;
    if (!read_words(fp - 8, &place, sizeof place))
        return 0;
    async_context context;
    while (count < CALLERS_MOST && read_words(place, &context, sizeof context)) {
        if (!context.resume || gp_function_start(context.resume) != context.resume)
            break;
        resumes[count++] = context.resume;
        if (context.parent == place)
            break;
        place = context.parent;
    }
    // The end of a task is the runtime's own.
    while (count > 0 && is_runtime(resumes[count - 1]))
        count--;
    return count;
}

uint32_t gp_async_stack_id(struct gp_thread *thread, const gp_stacks *stacks, uint32_t node) {
    const gp_stack_memo *memo = stacks->last;
    if (!JOB_RUN || !node || memo->base > 0)
        return node;
    uint32_t resumed = resumed_frame(memo);
    uintptr_t resumes[CALLERS_MOST];
    uint32_t callers = resumed ? awaiting_callers(memo->frames[resumed].fp, resumes) : 0;
    if (callers == 0)
        return node;
    uint32_t logical = 0;
    for (uint32_t i = callers; i-- > 0;)
        logical = gp_stack_node(thread, logical, resumes[i], GP_FRAME_EXACT);
    for (uint32_t i = resumed; i < memo->count && logical; i++)
        logical = gp_stack_node(thread, logical, memo->frames[i].pc, i + 1 == memo->count ? GP_FRAME_EXACT : 0);
    return logical ? logical : node;
}
