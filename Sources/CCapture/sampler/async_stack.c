#include "async_stack.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "../recorder/system.h"
#include "../unwind/stack_tree.h"
#include "TraceFormat.h"
#include "call_site.h"
#include "images.h"

enum { CALLERS_MOST = 64, EXECUTOR_DEPTH = 24 };

// The function that runs a job, and the image that it lies in.
static uintptr_t job_run;
static const gp_image_info *concurrency;

void gp_async_stack_prepare(void) {
    job_run = (uintptr_t)dlsym(RTLD_DEFAULT, "swift_job_run");
    concurrency = job_run ? gp_image_find(NULL, job_run) : NULL;
}

static bool is_runtime(uintptr_t pc) {
    return pc >= concurrency->start && pc < concurrency->end;
}

// Index of the frame that the executor resumed, 0: the stack is not that of a job.
static uint32_t resumed_frame(const gp_stack_memo *memo) {
    uint32_t i = 0, most = memo->count < EXECUTOR_DEPTH ? memo->count : EXECUTOR_DEPTH;
    while (i < most && !(is_runtime(memo->frames[i].pc) && gp_function_start(memo->frames[i].pc - 1) == job_run))
        i++;
    if (i == most)
        return 0;
    while (i < memo->count && is_runtime(memo->frames[i].pc))
        i++;
    return i < memo->count ? i : 0;
}

typedef struct {
    uintptr_t parent, resume;
} async_context;

static bool read_words(uintptr_t address, void *words, size_t size) {
    if (address % 8 != 0 || address < 65536 || address >> 47)
        return false;
    struct iovec local = {words, size}, remote = {(void *)address, size};
    return gp_system(process_vm_readv, gp_system(getpid, 0), &local, 1, &remote, 1, 0) == (long)size;
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
    if (!concurrency || !node || memo->base > 0)
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
