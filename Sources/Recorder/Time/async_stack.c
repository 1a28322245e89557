#include "sampled_stack.h"

#include <stdbool.h>
#include <string.h>

#include "arch.h"
#include "runtime_symbols.h"
#include "safe_read.h"
#include "call_site.h"
#include "stack_reads.h"
#include "stack_tree.h"
#include "task.h"
#include "RuntimeFunctions.h"
#include "TraceFormat.h"
#include "images.h"

enum {
    EXECUTOR_DEPTH = 24,
    PAGE = GP_PAGE,
    RUNTIME_FUNCTIONS = sizeof gp_job_functions / sizeof *gp_job_functions,
};
static uintptr_t functions[RUNTIME_FUNCTIONS];
#define JOB_RUN functions[0]
static const gp_image_info *concurrency;  // the library, NULL: none

void gp_async_stack_prepare(void) {
    gp_runtime_symbols(gp_job_functions, functions, RUNTIME_FUNCTIONS);
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
    uint32_t i = 0, limit = memo->count < EXECUTOR_DEPTH ? memo->count : EXECUTOR_DEPTH;
    while (i < limit && !((!concurrency || is_runtime(memo->frames[i].at.pc)) &&
                          gp_function_start(memo->frames[i].at.pc - 1) == JOB_RUN))
        i++;
    if (i == limit)
        return 0;
    while (i < memo->count && is_runtime(memo->frames[i].at.pc - 1))
        i++;
    return i < memo->count ? i : 0;
}

// Reads the spans of the last sample anew and returns how many there are.
static uint32_t read_spans(gp_async_chain *chain) {
    gp_safe_piece pieces[GP_ASYNC_SPANS_MOST];
    for (uint32_t i = 0; i < chain->spans; i++)
        pieces[i] = (gp_safe_piece){chain->span[i].start, chain->bytes[i], chain->span[i].end - chain->span[i].start};
    return (uint32_t)gp_safe_read_pieces(pieces, chain->spans);
}

static bool read_context(const gp_async_chain *chain, uint32_t known_spans, uintptr_t place,
                         gp_async_context *context) {
    if (place % 8 != 0)
        return false;
    for (uint32_t i = 0; i < known_spans; i++) {
        const uintptr_t start = chain->span[i].start, end = chain->span[i].end;
        if (place < start || place > end || end - place < sizeof *context)
            continue;
        memcpy(context, chain->bytes[i] + (place - start), sizeof *context);
        return true;
    }
    return gp_safe_read(place, context, sizeof *context);
}

// Widens a span by the context at `place`, or begins one; with the most there can be it is read by itself again.
static void remember(gp_async_chain *chain, uintptr_t place) {
    const uintptr_t end = place + sizeof(gp_async_context);
    uint32_t i = 0;
    for (; i < chain->spans; i++) {
        uintptr_t low = chain->span[i].start < place ? chain->span[i].start : place;
        uintptr_t high = chain->span[i].end > end ? chain->span[i].end : end;
        if (low / PAGE != (high - 1) / PAGE || high - low > GP_ASYNC_SPAN_BYTES)
            continue;
        chain->span[i].start = low;
        chain->span[i].end = high;
        return;
    }
    if (i == GP_ASYNC_SPANS_MOST)
        return;
    chain->span[i].start = place;
    chain->span[i].end = end;
    chain->spans++;
}

// Finds the functions that go on when this one and its awaiting callers return, from the context at `place` outwards.
static void follow(uintptr_t place, gp_async_chain *chain) {
    const uint32_t callers_before = chain->callers, known_spans = read_spans(chain);
    uintptr_t places[GP_AWAITING_CALLERS_MOST];
    gp_async_context context;
    for (chain->callers = 0; chain->callers < GP_AWAITING_CALLERS_MOST; place = context.parent) {
        if (!read_context(chain, known_spans, place, &context) || !context.resume)
            break;
        uintptr_t *resume = &chain->resumes[chain->callers];
        const bool is_known = chain->callers < callers_before && *resume == context.resume;
        if (!is_known && gp_function_start(context.resume) != context.resume)
            break;
        *resume = context.resume;
        places[chain->callers++] = place;
        if (context.parent == place)
            break;
    }
    chain->spans = 0;
    for (uint32_t i = 0; i < chain->callers; i++)
        remember(chain, places[i]);
}

// Whether this thread's own stack holds a word at `place`: of the stack only what lies above its pointer is sure to be there.
static bool is_on_stack(const struct gp_thread *thread, uintptr_t sp, uintptr_t place) {
    const uintptr_t high = thread->stack_high;
    return high && sp >= gp_own_stack_low(thread) && place >= sp && place < high && high - place >= sizeof place;
}

// The word below the frame at `fp`, 0: it cannot be read. Code that keeps no frame pointers has anything in that register.
static uintptr_t context_of_frame(const struct gp_thread *thread, uintptr_t sp, uintptr_t fp) {
    const uintptr_t place = fp - 8;
    uintptr_t context = 0;
    if (place % 8 != 0)
        return 0;
    if (is_on_stack(thread, sp, place))
        return *(const uintptr_t *)place;
    return gp_safe_read(place, &context, sizeof context) ? context : 0;
}

uint32_t gp_async_stack_id(struct gp_thread *thread, const gp_stacks *stacks, gp_async_chain *chain, uint32_t node) {
    const gp_stack_memo *memo = stacks->last;
    if (!JOB_RUN || !node || memo->base > 0)
        return node;
    uint32_t resumed = resumed_frame(memo);
    if (!resumed)
        return node;
    follow(context_of_frame(thread, memo->sp, memo->frames[resumed].at.fp), chain);
    uint32_t callers = chain->callers;
    // The end of a task is the runtime's own.
    while (callers > 0 && is_runtime(chain->resumes[callers - 1]))
        callers--;
    if (callers == 0)
        return node;
    uint32_t logical = 0;
    for (uint32_t i = callers; i-- > 0;)
        logical = gp_stack_node(thread, logical, chain->resumes[i], GP_FRAME_EXACT);
    for (uint32_t i = resumed; i < memo->count && logical; i++)
        logical = gp_stack_node(thread, logical, memo->frames[i].at.pc, i + 1 == memo->count ? GP_FRAME_EXACT : 0);
    return logical ? logical : node;
}
