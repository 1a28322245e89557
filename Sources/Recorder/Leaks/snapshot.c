#include "arch.h"

#include <stdatomic.h>
#include <string.h>

#include "arena.h"
#include "expectations.h"
#include "heap.h"
#include "spool.h"
#include "system.h"
#include "thread_control_block.h"
#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "analysis.h"
#include "block_sampling.h"
#include "freeze.h"
#include "images.h"
#include "live_peak.h"
#include "live_types.h"
#include "progress_timeout.h"
#include "read_clock.h"
#include "recording_state.h"
#include "runtime_message.h"
#include "signal_chain.h"
#include "kernel_signals.h"
#include "swift_types.h"
#include "switch_stack.h"
#include "task_list.h"
#include "words.h"
#include "thread.h"

enum { STILL_SECONDS = 30 };

static const uint64_t TYPES_MOST_NS = 5ull * GP_SECOND_NS;

static gp_freeze_page *page;
static _Atomic uint32_t snapshots;
static _Atomic uint32_t taker;  // the thread that takes a snapshot, 0: none
static uint64_t types_deadline_ns;
static const char *patterns;  // one a line, NULL: none
static const char *searcher;  // a socket; NULL: no tool searches
static const char *_Atomic own_searcher;  // the same of this process, which may search itself

// A snapshot is possible when all blocks are known.
static void prepare(struct gp_thread *thread, const char *types) {
    (void)thread, (void)types;
    if (!gp_recording_is_on() || (gp_sampling_mean && !gp_sampling_knows_all)) {
        gp_stop_signal_do_without();
        return;
    }
    gp_stop_signal_choose();
    atomic_store(&snapshots, 0);
    page = gp_freeze_prepare();
    gp_progress_watch(page ? &page->progress : NULL);
    gp_threads_prepare();
}

void gp_heap_begin_in_child(void) {
    atomic_store(&taker, 0);
    atomic_store(&snapshots, 0);
    page = page ? gp_freeze_prepare() : NULL;
    gp_progress_watch(page ? &page->progress : NULL);
}

// The snapshot of a child that could not be made, died or had to be killed: it begins, ends, and says that nothing is known.
static void write_failure(const gp_analysis *analysis, const char *reason) {
    gp_heap_end end = {.header = {.kind = GP_HEAP_END, .flags = 1}, .snapshot = analysis->snapshot};
    gp_analysis_write_begin(analysis);
    gp_write_record(analysis->thread, &end, sizeof end, reason, strlen(reason));
}

static bool run(siginfo_t *none, void *analysis) {
    (void)none;
    gp_analysis_run(analysis);
    return true;
}

// The handler of a crash may stand on a stack of a few pages.
static bool run_on_large_stack(gp_analysis *analysis) {
    enum { BYTES = 1 << 20 };
    unsigned char *const stack = gp_arena_allocate(BYTES);  // what the search holds there is no root
    return stack && gp_call_on_stack(stack + BYTES, run, NULL, analysis);
}

static bool take(gp_analysis *analysis) {
    if (!analysis->is_crash)
        gp_images_refresh(analysis->thread);  // with the loader's lock, whose owner may wait for what has crashed
    atomic_store(&page->done, 0);
    atomic_store(&page->pause_ns, 0);
    page->lost = (gp_lost){.known = false};
    analysis->time_ns = gp_now_ns();
    const uint32_t types = gp_type_last_id();
    const bool held = gp_expectations_hold();  // or the copy might have half a list
    if (!gp_threads_stop(&analysis->threads))
        analysis->obstacle = gp_task_list_obstacle();
    analysis->memory = gp_process_memory_open();
    long child = gp_freeze_clone();
    if (child == 0) {
        gp_freeze_enter_child((long)analysis->process);
        if (!analysis->is_crash || !run_on_large_stack(analysis))
            gp_analysis_run(analysis);
        gp_freeze_leave_child(page);
    }
    gp_process_memory_close(analysis->memory);
    const bool is_peak = analysis->flags == GP_HEAP_AT_PEAK;
    if (is_peak)
        gp_live_peak_copied();
    if (!analysis->is_crash)
        gp_threads_resume();
    if (held)
        gp_expectations_let_go();
    atomic_store(&page->pause_ns, gp_now_ns() - analysis->time_ns);
    const char *const failure = child < 0
                                    ? "no copy of the process could be made"
                                    : gp_freeze_wait(page, child, STILL_SECONDS, is_peak ? gp_live_peak_is_due : NULL);
    if (analysis->is_crash)
        gp_threads_resume();  // only now: without a recorder they would not have run on
    if (failure) {
        page->lost.known = false;
        if (!analysis->is_crash)
            gp_types_write_again(analysis->thread, types);
        write_failure(analysis, failure);
    }
    return child >= 0;
}

// Makes the calling thread the taker, after a snapshot that another one takes. NULL, or why it cannot.
static const char *take_turn(uint32_t id) {
    uint32_t other = 0;
    for (gp_progress_timeout patience = {0}; !atomic_compare_exchange_strong(&taker, &other, id); other = 0) {
        if (other == id)
            return "a signal handler ended the program while another snapshot was being taken";
        if (!gp_progress_wait(&patience))
            return "another snapshot did not come to its end";
    }
    return NULL;
}

// The searcher that this process holds stands still in a crash, and where a signal's handler ends the program it may wait for a
// lock of what was interrupted. A filter of the program's might end the copy for a call that a search here does without.
static const char *choose_searcher(bool is_asked_for) {
    if (gp_task_has_new_filter())
        return NULL;
    return searcher || !is_asked_for ? searcher : atomic_load(&own_searcher);
}

static bool has_taken_long(void) {
    return gp_monotonic_of_kernel() > types_deadline_ns;
}

// In a copy of the process: a damaged heap costs the types and nothing else.
static const char *write_types(struct gp_thread *thread) {
    gp_freeze_page *const shared = gp_freeze_prepare();
    if (!shared)
        return "no copy of the process could be made";
    const long process = gp_system(getpid, 0);
    atomic_store(&shared->done, 0);
    types_deadline_ns = gp_monotonic_of_kernel() + TYPES_MOST_NS;
    const long child = gp_freeze_clone();
    if (child == 0) {
        gp_freeze_enter_child(process);
        gp_fault_guard_prepare();
        gp_write_begin_in_child(thread);
        if (gp_sampling_mean)
            gp_sampled_write_live(thread, true);
        else
            gp_live_types_write(thread);
        gp_write_end_in_child(thread);
        gp_freeze_leave_child(shared);
    }
    if (child < 0)
        return "no copy of the process could be made";
    return gp_freeze_wait(shared, child, STILL_SECONDS, has_taken_long) ? "they were not read in time" : NULL;
}

// Writes the types of the live blocks where the program ends without a snapshot (GP_LIVE_TYPE), or a note why they are not
// known. They are read in a copy of the process: a damaged heap may cost the types, not more. Waits for it, at most 5 seconds.
// Async-signal-safe.
static void write_types_or_why_not(struct gp_thread *thread) {
    uint32_t none = 0;
    const char *reason = "a heap snapshot was being taken";
    if (atomic_compare_exchange_strong(&taker, &none, (uint32_t)gp_system(gettid, 0))) {
        reason = write_types(thread);
        atomic_store(&taker, 0);
    }
    if (!reason)
        return;
    char note[160] = "The types of the blocks that live at the end are not known: ";
    strcat(strcat(note, reason), ".");
    gp_write_note(thread, note);
}

// Below its stack pointer a function that calls no other may keep words.
enum { RED_ZONE = 128 };

static void read_crashed(gp_stopped_thread *caller, const ucontext_t *context) {
    gp_thread_read_interrupted(caller, context);
    caller->sp -= RED_ZONE;
    const uintptr_t low = (uintptr_t)context->uc_stack.ss_sp, high = low + context->uc_stack.ss_size;
    if ((uintptr_t)context >= low && (uintptr_t)context < high)
        caller->handler = (gp_mapping){low, caller->sp >= low && caller->sp < high ? caller->sp : high};
}

static __attribute__((always_inline)) inline void read_caller(gp_stopped_thread *caller) {
    if (gp_switched_from)
        memcpy(caller->registers, gp_switched_from->registers, sizeof gp_switched_from->registers);
    else
        gp_read_preserved(caller->registers);
    caller->sp = gp_switched_from ? gp_switched_from->sp : GP_PRESERVED_SP();
    caller->at = GP_REGISTERS_OF_STACK();
    caller->thread_pointer = gp_control_block();
}

// `crashed`: the context of the handler in which the program is about to end, NULL: it is not that.
// Waits for the analysis, and before for a snapshot that another thread takes. One at the peak is given up as soon as a higher
// one is due. False: none could be taken, and the trace says why. It also says what keeps objects alive that were to be
// deallocated (GP_TARGET_ADDRESS): 12 bytes for each live block and one more walk over the heap, in the child.
static bool look(struct gp_thread *thread, uint8_t flags, const char *name, const void *crashed, bool paths_alone) {
    if (!page || gp_allocator_is_unknown || !gp_spool_has_room())
        return false;
    gp_analysis analysis = {.thread = thread,
                            .name = name,
                            .flags = flags,
                            .page = page,
                            .is_crash = crashed,
                            .seeks_paths_alone = paths_alone};
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
    analysis.writes_graph = gp_recording.instruments & GP_INSTRUMENT_HEAP;
    analysis.searcher = choose_searcher(!crashed && flags != GP_HEAP_AT_EXIT);
    analysis.seeks_abandoned = gp_recording.instruments & GP_INSTRUMENT_LEAKS && flags == GP_HEAP_AT_EXIT;
    analysis.snapshot = atomic_fetch_add(&snapshots, 1) + 1;
    analysis.process = (uint32_t)gp_system(getpid, 0);
    if (crashed)
        read_crashed(&analysis.caller, crashed);
    else
        read_caller(&analysis.caller);
    analysis.caller.id = self;
    bool busy = thread->busy;
    thread->busy = true;
    analysis.stack = gp_stack_id(thread, analysis.caller.at);
    bool taken = take(&analysis);
    if (!busy)
        gp_thread_leave(thread);
    atomic_store(&taker, 0);
    return taken;
}

static bool snapshot(struct gp_thread *thread, uint8_t flags, const char *name) {
    return look(thread, flags, name, NULL, false);
}

gp_lost gp_last_lost(void) {
    return page ? page->lost : (gp_lost){.known = false};
}

static void ask_why(struct gp_thread *thread, const char *types) {
    (void)thread;
    patterns = types;
}

// What holds an object that escaped from its deinit, or that was used dead, is zombies' to know, too.
static void find_holders(struct gp_thread *thread, const void *context) {
    const bool was_used = gp_live_used_dead && gp_live_used_dead(false);
    if (gp_recording.instruments & GP_INSTRUMENT_ZOMBIES && (was_used || gp_runtime_message_escaped()))
        look(thread, GP_HEAP_ON_REQUEST, "crash", context, true);
}

// Its options: patterns of types, one a line, in memory that stays. Every snapshot says what keeps the objects of these types
// alive (GP_TARGET_TYPE).
const gp_instrument gp_leaks_instrument = {
    .variable = "GAMEPROF_WHY", .start = ask_why, .prepare = prepare, .crash = find_holders};

// The heap of an unknown malloc is not searched. What samples blocks writes their types itself.
static void end(struct gp_thread *thread, bool may_look) {
    if (!may_look)
        return;
    snapshot(thread, GP_HEAP_AT_EXIT, "exit");
    if (gp_allocator_is_unknown && gp_recording_is_on() && !gp_sampling_mean)
        write_types_or_why_not(thread);
}

// Leaks are searched for as at exit, once; where they are not, the types of what lives are written.
static void crash(struct gp_thread *thread, const void *context) {
    if (!(gp_recording.instruments & GP_INSTRUMENT_LEAKS) || !look(thread, GP_HEAP_AT_EXIT, "crash", context, false))
        write_types_or_why_not(thread);
}

// FILTERS:PATH, with the number of filters of system calls that the tool has: whoever starts the program may have set another
// one, which the calls of the conversation were not tried under.
static void find_searcher(struct gp_thread *thread, const char *words) {
    (void)thread;
    const char *const path = words ? strchr(words, ':') : NULL;
    searcher = path && gp_number_at(words) == gp_task_call_filters() ? path + 1 : NULL;
}

bool gp_search_at(const char *socket) {
    if (searcher)
        return false;
    char *const name = socket ? gp_arena_allocate(strlen(socket) + 1) : NULL;
    if (name)
        strcpy(name, socket);
    atomic_store(&own_searcher, name);
    return true;
}

const gp_instrument gp_live_heap_instrument = {
    .recorded = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS,
    .variable = "GAMEPROF_SEARCHER",  // a socket of the tool
    .start = find_searcher,
    .crash = crash,
    .end = end,
};

static const char *refusal(void) {
    return gp_allocator_is_unknown
               ? "The program uses another malloc than those of glibc, jemalloc, mimalloc and tcmalloc, and "
                 "its heap cannot be searched for leaks; its allocations, its time and its zombies can "
                 "be recorded."
               : NULL;
}

// The snapshot at exit holds the graph of all live blocks where that is small, or where many objects live through closures.
const gp_instrument gp_leak_search_instrument = {
    .recorded = GP_INSTRUMENT_LEAKS,
    .needs = GP_NEEDS_BLOCKS | GP_NEEDS_RUNTIME,
    .too_late = "Leaks are found only in a program recorded from its first allocation: set GAMEPROF=leaks instead.",
    .refusal = refusal,
    .snapshot = snapshot,
};
