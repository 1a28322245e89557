#include "ended_stacks.h"

#include <dlfcn.h>

#include "../recorder/noted_stack.h"
#include "../recorder/system.h"
#include "TraceFormat.h"

enum { STACKS_MAX = 1 << 16, ALIGNMENT = 64 };
enum { EXITING = 0x10, TERMINATED = 0x20 };  // of cancelhandling, in glibc's nptl/descr.h

// In bytes from the control block. What libthread_db asks glibc for; the first two are the same since glibc 2.4.
static struct {
    uint32_t tid, cancelhandling;
    uint32_t start_routine;  // the argument stands behind it; 0: unknown
    bool are_right;
} offsets = {.tid = 720, .cancelhandling = 776};

static void ask(const char *symbol, uint32_t *offset) {
    const uint32_t *description = dlsym(RTLD_DEFAULT, symbol);  // bits, count, offset
    if (description && description[2] < GP_CONTROL_BLOCK)
        *offset = description[2];
}

static int tid_at(uintptr_t block) {
    return *(const int *)(block + offsets.tid);
}

void gp_ended_stacks_prepare(void) {
    ask("_thread_db_pthread_tid", &offsets.tid);
    ask("_thread_db_pthread_cancelhandling", &offsets.cancelhandling);
    ask("_thread_db_pthread_start_routine", &offsets.start_routine);
    offsets.are_right = tid_at((uintptr_t)__builtin_thread_pointer()) == (int)gp_system(gettid, 0);
}

bool gp_ended_stacks_begin(gp_ended_stacks *ended) {
    *ended = (gp_ended_stacks){.stacks = gp_system_pages(STACKS_MAX * sizeof(gp_ended_stack))};
    return ended->stacks != NULL;
}

// A control block names itself in its first and its third word. The kernel clears the id of a thread that has ended;
// pthread_join makes it -1. Before a thread has begun its id is 0 too, but nothing says yet that it has ended.
static void look_at(gp_ended_stacks *ended, uintptr_t block) {
    const uintptr_t *words = (const uintptr_t *)block;
    gp_noted_stack noted;
    if (words[0] != block || words[2] != block || tid_at(block) > 0)
        return;
    int state = *(const int *)(block + offsets.cancelhandling);
    // libc gives no guard to a stack that the program made.
    bool is_ended = state & EXITING && gp_noted_stack_read(block, &noted) && noted.guard > 0;
    if (!is_ended || ended->count == STACKS_MAX)
        return;
    ended->stacks[ended->count++] = (gp_ended_stack){
        .range = {noted.low, noted.low + noted.size}, .control_block = block, .is_joined = (state & TERMINATED) != 0};
}

void gp_ended_stacks_note(const gp_root_words *words, void *ended) {
    if (words->kind != GP_ROOT_MAPPED || !offsets.are_right || words->end - words->start < GP_CONTROL_BLOCK)
        return;
    for (uintptr_t at = (words->start + ALIGNMENT - 1) & -(uintptr_t)ALIGNMENT; at <= words->end - GP_CONTROL_BLOCK;
         at += ALIGNMENT)
        look_at(ended, at);
}

gp_address_range gp_ended_stack_first(const gp_ended_stacks *ended, uintptr_t from, uintptr_t end) {
    size_t low = 0, high = ended ? ended->count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ended->stacks[middle].range.end <= from)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = ended && low < ended->count && ended->stacks[low].range.start < end;
    return found ? ended->stacks[low].range : (gp_address_range){end, end};
}

void gp_ended_stacks_each_result(const gp_ended_stacks *ended,
                                 void (*visit)(uintptr_t start, uintptr_t end, void *context), void *context) {
    for (size_t i = 0; ended && i < ended->count; i++) {
        uintptr_t block = ended->stacks[i].control_block;
        if (ended->stacks[i].is_joined)
            continue;
        uintptr_t routine = block + offsets.start_routine, past = block + GP_CONTROL_BLOCK;
        visit(block, routine, context);
        visit(offsets.start_routine ? routine + 2 * sizeof(uintptr_t) : block, past, context);
    }
}
