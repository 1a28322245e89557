#include "heap.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "../probes/expectations.h"
#include "../recorder/system.h"
#include "../signals/kernel_signals.h"
#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "analysis.h"
#include "ended_stacks.h"
#include "growth_rows.h"
#include "images.h"
#include "left_stack.h"
#include "thread.h"

enum {
    STILL_SECONDS = 30,
    PATIENCE_SECONDS = 45,
    SAVED_REGISTERS = 5,
    FIRST_STOP_SIGNAL = 62,
    LAST_STOP_SIGNAL = 40,
    UNMET_MOST = 16
};

static int stop_signal = FIRST_STOP_SIGNAL;
static gp_freeze_page *page;
static _Atomic uint32_t snapshots;
static _Atomic uint32_t taker;  // the thread that takes a snapshot, 0: none
static const char *patterns;

int gp_heap_stop_signal(void) {
    return stop_signal;
}

void gp_heap_prepare(void) {
    // The highest real-time signal that nobody handles: programs and libraries take theirs from the ends.
    for (stop_signal = FIRST_STOP_SIGNAL; stop_signal > LAST_STOP_SIGNAL && !gp_signal_is_unused(stop_signal);)
        stop_signal--;
    page = gp_freeze_prepare();
    gp_growth_prepare();
    gp_threads_prepare();
    gp_ended_stacks_prepare();
}

void gp_heap_do_without(void) {
    stop_signal = 0;
}

void gp_heap_ask_why(const char *types) {
    patterns = types;
}

// The snapshot of a child that could not be made, died or had to be killed: it begins, ends, and says that nothing is known.
static void write_failure(const gp_analysis *analysis, const char *reason) {
    gp_heap_begin begin = {.header = {.kind = GP_HEAP_BEGIN, .flags = analysis->flags},
                           .snapshot = analysis->snapshot,
                           .threads = analysis->threads.stopped + 1,
                           .threads_missed = analysis->threads.missed,
                           .stack = analysis->stack,
                           .time_ns = analysis->time_ns,
                           .pause_ns = atomic_load(&page->pause_ns),
                           .left_stack = gp_left_stack_id()};
    gp_heap_end end = {.header = {.kind = GP_HEAP_END, .flags = 1}, .snapshot = analysis->snapshot};
    gp_write_record(analysis->thread, &begin, sizeof begin, analysis->name,
                    analysis->name ? strlen(analysis->name) : 0);
    gp_write_record(analysis->thread, &end, sizeof end, reason, strlen(reason));
}

static bool take(gp_analysis *analysis) {
    gp_images_refresh(analysis->thread);
    atomic_store(&page->done, 0);
    atomic_store(&page->pause_ns, 0);
    page->lost = (gp_lost){.known = false};
    analysis->time_ns = gp_now_ns();
    bool listed = gp_threads_stop(&analysis->threads);
    analysis->threads.missed += !listed;
    long child = gp_freeze_clone();
    if (child == 0) {
        gp_freeze_enter_child();
        gp_analysis_run(analysis);
        gp_freeze_leave_child(page);
    }
    gp_threads_resume();
    atomic_store(&page->pause_ns, gp_now_ns() - analysis->time_ns);
    if (child < 0) {
        write_failure(analysis, "no copy of the process could be made");
        return false;
    }
    if (!gp_freeze_wait(page, child, STILL_SECONDS)) {
        page->lost.known = false;
        write_failure(analysis, "the analysis of the frozen heap did not come to its end");
    }
    return true;
}

bool gp_heap_wait_on(gp_heap_patience *patience) {
    const uint32_t progress = page ? atomic_load(&page->progress) : 0;
    patience->looks = progress == patience->progress ? patience->looks + 1 : 0;
    patience->progress = progress;
    gp_system(nanosleep, &(struct timespec){.tv_nsec = 1000000}, 0);
    return patience->looks < PATIENCE_SECONDS * 1000;
}

// Makes the calling thread the taker, after a snapshot that another one takes. NULL, or why it cannot.
static const char *take_turn(uint32_t id) {
    uint32_t other = 0;
    for (gp_heap_patience patience = {0}; !atomic_compare_exchange_strong(&taker, &other, id); other = 0) {
        if (other == id)
            return "a signal handler ended the program while another snapshot was being taken";
        if (!gp_heap_wait_on(&patience))
            return "another snapshot did not come to its end";
    }
    return NULL;
}

// Registers that belong to callers and that no function on the way here has saved on its stack.
static void read_registers(gp_stopped_thread *caller) {
    __asm__ volatile("movq %%rbx, 0(%0)\n\tmovq %%r12, 8(%0)\n\tmovq %%r13, 16(%0)\n\t"
                     "movq %%r14, 24(%0)\n\tmovq %%r15, 32(%0)\n\tmovq %%rbp, 40(%0)"
                     :
                     : "r"(caller->registers)
                     : "memory");
}

bool gp_heap_snapshot_paths(struct gp_thread *thread, uint8_t flags, const char *name, const gp_path_target *objects,
                            size_t count) {
    // What the words in front of blocks say is known of glibc's alone.
    if (!page || gp_allocator_is_foreign)
        return false;
    gp_analysis analysis = {.thread = thread, .name = name, .flags = flags, .page = page};
    const uint32_t self = (uint32_t)gp_system(gettid, 0);
    const char *const failure = take_turn(self);
    if (failure || gp_thread_moving_block(self)) {
        analysis.snapshot = atomic_fetch_add(&snapshots, 1) + 1;
        analysis.time_ns = gp_now_ns();
        write_failure(
            &analysis,
            failure ? failure
                    : "a signal handler interrupted a realloc and then ended the program or asked for a snapshot");
        if (!failure)
            atomic_store(&taker, 0);
        return false;
    }
    gp_path_target unmet[UNMET_MOST];  // below the caller's part of the stack: no root
    if (!objects) {
        count = gp_expectations_ask(unmet, UNMET_MOST, gp_now_ns(), self);
        objects = unmet;
    }
    analysis.request = (gp_path_request){.patterns = patterns, .objects = objects, .object_count = count};
    analysis.snapshot = atomic_fetch_add(&snapshots, 1) + 1;
    analysis.process = (uint32_t)gp_system(getpid, 0);
    read_registers(&analysis.caller);
    analysis.caller.id = self;
    // Right below its frame address this function has saved what its callers may need of their registers.
    analysis.caller.sp = (uintptr_t)__builtin_frame_address(0) - SAVED_REGISTERS * sizeof(uintptr_t);
    analysis.caller.at = GP_CALLER_REGISTERS();
    analysis.caller.thread_pointer = (uintptr_t)__builtin_thread_pointer();
    bool busy = thread->busy;
    thread->busy = true;
    analysis.stack = gp_stack_id(thread, analysis.caller.at);
    bool taken = take(&analysis);
    thread->busy = busy;
    atomic_store(&taker, 0);
    return taken;
}

gp_lost gp_heap_last_lost(void) {
    return page ? page->lost : (gp_lost){.known = false};
}

bool gp_heap_snapshot(struct gp_thread *thread, uint8_t flags, const char *name) {
    return gp_heap_snapshot_paths(thread, flags, name, NULL, 0);
}
