#include "arch.h"
#include "heap.h"

#include <stdatomic.h>
#include <string.h>

#include "expectations.h"
#include "spool.h"
#include "system.h"
#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "analysis.h"
#include "block_sampling.h"
#include "ended_stacks.h"
#include "growth_rows.h"
#include "images.h"
#include "live_peak.h"
#include "exited_main_stack.h"
#include "read_clock.h"
#include "recording_state.h"
#include "stop_signal.h"
#include "thread.h"

enum { STILL_SECONDS = 30, SAVED_REGISTERS = 5 };

static const uint64_t LOOK_MOST_NS = 20000000, PATIENCE_NS = 45ull * GP_SECOND_NS;

static gp_freeze_page *page;
static _Atomic uint32_t snapshots;
static _Atomic uint32_t taker;  // the thread that takes a snapshot, 0: none
static const char *patterns;  // one a line, NULL: none
static bool writes_graph;  // every snapshot holds the graph of all live blocks
static bool seeks_abandoned;  // the one at exit holds it where it may show what is abandoned

// A snapshot is possible when all blocks are known.
static void prepare(struct gp_thread *thread, const char *types) {
    (void)thread, (void)types;
    if (!gp_recording_is_on() || (gp_sampling_mean && !gp_sampling_knows_all)) {
        gp_stop_signal_do_without();
        return;
    }
    gp_stop_signal_choose();
    page = gp_freeze_prepare();
    gp_growth_prepare();
    gp_threads_prepare();
    gp_ended_stacks_prepare();
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
                           .exited_main_stack = gp_exited_main_stack_id()};
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
    const bool held = gp_expectations_hold();  // or the copy might have half a list
    bool listed = gp_threads_stop(&analysis->threads);
    analysis->threads.missed += !listed;
    long child = gp_freeze_clone();
    if (child == 0) {
        gp_freeze_enter_child((long)analysis->process);
        gp_analysis_run(analysis);
        gp_freeze_leave_child(page);
    }
    const bool is_peak = analysis->flags == GP_HEAP_AT_PEAK;
    if (is_peak)
        gp_live_peak_copied();
    gp_threads_resume();
    if (held)
        gp_expectations_let_go();
    atomic_store(&page->pause_ns, gp_now_ns() - analysis->time_ns);
    if (child < 0) {
        write_failure(analysis, "no copy of the process could be made");
        return false;
    }
    const char *const failure = gp_freeze_wait(page, child, STILL_SECONDS, is_peak ? gp_live_peak_is_due : NULL);
    if (failure) {
        page->lost.known = false;
        write_failure(analysis, failure);
    }
    return true;
}

bool gp_heap_wait_on(gp_heap_timeout *patience) {
    const uint32_t progress = page ? atomic_load(&page->progress) : 0;
    if (patience->last_ns == 0)
        *patience = (gp_heap_timeout){.last_ns = gp_monotonic_of_kernel(), .progress = progress};
    gp_sleep(GP_MILLISECOND_NS);
    return !gp_progress_timed_out(patience, gp_monotonic_of_kernel(), progress, LOOK_MOST_NS, PATIENCE_NS);
}

// Makes the calling thread the taker, after a snapshot that another one takes. NULL, or why it cannot.
static const char *take_turn(uint32_t id) {
    uint32_t other = 0;
    for (gp_heap_timeout patience = {0}; !atomic_compare_exchange_strong(&taker, &other, id); other = 0) {
        if (other == id)
            return "a signal handler ended the program while another snapshot was being taken";
        if (!gp_heap_wait_on(&patience))
            return "another snapshot did not come to its end";
    }
    return NULL;
}

bool gp_heap_snapshot(struct gp_thread *thread, uint8_t flags, const char *name) {
    // What the words in front of blocks say is known of glibc's alone.
    if (!page || gp_allocator_is_foreign || !gp_spool_has_room())
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
    analysis.request = (gp_path_request){.patterns = patterns};
    analysis.writes_graph = writes_graph;
    analysis.seeks_abandoned = seeks_abandoned && flags == GP_HEAP_AT_EXIT;
    analysis.snapshot = atomic_fetch_add(&snapshots, 1) + 1;
    analysis.process = (uint32_t)gp_system(getpid, 0);
    gp_read_preserved(analysis.caller.registers);
    analysis.caller.id = self;
    // Right below its frame address this function has saved what its callers may need of their registers.
    analysis.caller.sp = (uintptr_t)__builtin_frame_address(0) - (GP_PRESERVED_COUNT - 1) * sizeof(uintptr_t);
    analysis.caller.at = GP_CALLER_REGISTERS();
    analysis.caller.thread_pointer = gp_thread_pointer();
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

static void ask_why(struct gp_thread *thread, const char *types) {
    (void)thread;
    patterns = types;
}

static void snapshot_at_exit(struct gp_thread *thread, const char *name) {
    gp_heap_snapshot(thread, GP_HEAP_AT_EXIT, name);
}

const gp_instrument gp_leaks_instrument = {
    .variable = "GAMEPROF_WHY",
    .start = ask_why,
    .prepare = prepare,
    .snapshot = snapshot_at_exit,
};

static void ask_for_graph(struct gp_thread *thread, const char *options) {
    (void)thread, (void)options;
    writes_graph = true;
}

static void seek_abandoned(struct gp_thread *thread, const char *options) {
    (void)thread, (void)options;
    seeks_abandoned = true;
}

const gp_instrument gp_abandoned_instrument = {.recorded = GP_INSTRUMENT_LEAKS, .start = seek_abandoned};

const gp_instrument gp_heap_instrument = {.recorded = GP_INSTRUMENT_HEAP, .start = ask_for_graph};
