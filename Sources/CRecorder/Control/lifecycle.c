#include "recording.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <string.h>

#include "kernel_signals.h"
#include "machine_record.h"
#include "metadata.h"
#include "alloc_hooks.h"
#include "block_sampling.h"
#include "virtual_mask.h"
#include "environment.h"
#include "heap.h"
#include "images.h"
#include "loader_range.h"
#include "exec_environment.h"
#include "instruments.h"
#include "program_record.h"
#include "recorder.h"
#include "resident.h"
#include "recording.h"
#include "sampled_hooks.h"
#include "sampler.h"
#include "self_check.h"
#include "snapshot_thread.h"
#include "spool.h"
#include "stack_frames.h"
#include "stop_signal.h"
#include "read_clock.h"
#include "system.h"
#include "taken_trace.h"
#include "termination.h"
#include "thread.h"
#include "thread_key.h"
#include "zombies.h"

typedef enum { GP_NEVER, GP_STARTING, GP_STARTED, GP_FINISHING, GP_FINISHED } gp_stage;

static _Atomic uint32_t stage;
static _Atomic uint32_t finisher;  // the thread that ends the recording, 0: none
static _Atomic bool decided, loaded;
static volatile bool probing;
static gp_request request;
static const char *failure;
static const char foreign_allocator[] = "The program brings its own malloc: its allocations cannot be recorded.";
static const char foreign_heap[] = "The program uses another malloc than glibc's, whose heap cannot be searched for "
                                   "leaks; its allocations, its time and "
                                   "its zombies can be recorded.";
static const char unwatched[] = "The address space is limited (ulimit -v): there is no room for a quarantine.";
static long recorded_process;
static uint32_t recorded_instruments;
static bool runtime_is_known = true;  // the Swift runtime, if there is one, is laid out as the decoders expect

enum { GP_EXIT_HANDLERS = 4, GP_WAIT_STEPS = 200 };

static void follow_state(void) {
    if (gp_allocator_choose)
        gp_allocator_choose();
}

static bool is_recorded_process(void) {
    return recorded_process == gp_system(getpid, 0);
}

static void start_sampling(gp_thread *thread, uint32_t instruments) {
    if (!request.sample || !(instruments & (GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS)))
        return;
    gp_sampling_start(request.sample, instruments & (GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_HEAP));
    if (!gp_sampling_mean)
        return;
    gp_block_sampling record = {.header = {.kind = GP_BLOCK_SAMPLING, .flags = gp_sampling_knows_all},
                                .mean = gp_sampling_mean};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    if (gp_sampling_knows_all)
        gp_write_note(thread,
                      "Blocks are sampled: leaks are searched among all of them, but only of the sampled ones is "
                      "it known where they were allocated.");
}

static void begin(const char *path, uint32_t instruments) {
    if (instruments & GP_INSTRUMENT_ZOMBIES && instruments & (GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS)) {
        failure = "Zombies cannot be combined with allocations, leaks or heap.";
        return;
    }
    uint32_t never = GP_NEVER;
    if (!atomic_compare_exchange_strong(&stage, &never, GP_STARTING)) {
        failure = "A recording was already made by this process.";
        return;
    }
    gp_clock_start();
    gp_instruments_observe_threads();
    failure = gp_spool_open(path, request.max_size, gp_exec_environment_trace());
    gp_thread *thread = failure ? NULL : gp_thread_current();
    if (!failure && !thread)
        failure = "There is no memory to record with.";
    if (failure)
        return;
    recorded_process = gp_system(getpid, 0);
    recorded_instruments = instruments;
    gp_loader_find();
    thread->busy = true;
    gp_program_write(thread, instruments);
    start_sampling(thread, instruments);
    if (gp_sampling_mean || instruments & GP_INSTRUMENT_TIME)
        gp_stack_frames_keep_all();
    gp_instruments_start(thread, instruments, request.options);
    thread->busy = false;
    atomic_store(&stage, GP_STARTED);
    gp_system(madvise, &gp_recording, sizeof gp_recording, MADV_WIPEONFORK);
    const uint32_t about_blocks = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_ZOMBIES;
    gp_recording.process = (uint32_t)recorded_process;
    gp_recording.state = instruments & about_blocks ? GP_RECORDING_ON : GP_RECORDING_WITHOUT_BLOCKS;
    follow_state();
}

// A fully static program has no interpreter. Its C library allocates before the table of unwind information is there.
static bool is_too_early(void) {
#ifdef GP_PRELOADED
    return false;
#else
    return !atomic_load_explicit(&loaded, memory_order_relaxed) && getauxval(AT_BASE) == 0;
#endif
}

bool gp_recording_decide(void) {
    if (atomic_load_explicit(&decided, memory_order_relaxed) || is_too_early() || atomic_exchange(&decided, true))
        return false;
    if (!gp_recorder_is_preloaded()) {
        request = gp_environment_take();
        failure = request.refusal;
        if (request.path[0] && !failure)
            begin(request.path, request.instruments);
    }
    follow_state();
    return gp_recording.state == GP_RECORDING_ON && !probing;
}

// Tells the tool why instruments that were asked for find nothing here.
static void refuse(gp_thread *thread, uint32_t instruments, const char *reason) {
    if (recorded_instruments & instruments && request.path[0])
        gp_spool_report(request.path, reason);
    recorded_instruments &= ~instruments;
    gp_write_note(thread, reason);
}

static void prepare(void) {
    const uint32_t asked = recorded_instruments;
    gp_thread *thread = gp_thread_current();
    if (!thread)
        return;
    thread->busy = true;
    gp_images_refresh(thread);
    gp_machine_write(thread);
    gp_resident_open();
    gp_resident_note(thread, gp_now_ns());
    const char *mismatch = gp_runtime_self_check();
    // Where blocks are not known, counts in a side table cannot be found.
    const bool are_known = !gp_zombies_sampled_only && (!gp_sampling_mean || gp_sampling_knows_all);
    gp_metadata_without_blocks = !are_known;
    if (!mismatch && gp_recording.state == GP_RECORDING_ON && are_known)
        mismatch = gp_runtime_object_check();
    if (mismatch) {
        refuse(thread, GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_ZOMBIES, mismatch);
        runtime_is_known = false;
    }
    if (gp_allocator_is_foreign && recorded_instruments & GP_INSTRUMENT_LEAKS)
        refuse(thread, GP_INSTRUMENT_LEAKS, foreign_heap);
    gp_instruments_prepare(thread, asked, request.options);
    // The trace says so already, but only a failure is no clean bill.
    if (recorded_instruments & GP_INSTRUMENT_ZOMBIES && !gp_zombies_on && request.path[0])
        gp_spool_report(request.path, unwatched);
    thread->busy = false;
}

static void exit_handler(int status, void *context) {
    (void)context;
    gp_recording_finish(status);
}

static void quick_exit_handler(void) {
    gp_recording_finish(-1);
}

static void finish_at_signal(void) {
    gp_recording_finish(-1);
}

// A signal that ends the program ends the recording before. Exit handlers are registered several times: when two threads exit at once, each runs some of the handlers, and the one that is not
// finishing waits in its handler.
static void watch_the_end(void) {
    for (int i = 0; i < GP_EXIT_HANDLERS; i++) {
        on_exit(exit_handler, NULL);
        at_quick_exit(quick_exit_handler);
    }
    gp_termination_begin(finish_at_signal);
}

// The first allocation decides, so a process that has not decided after this one does not come to these hooks.
static bool hooks_are_called(void) {
    if (atomic_load(&decided))
        return true;
    probing = true;
    void *volatile block = malloc(1);
    probing = false;
    free(block);
    return atomic_load(&decided);
}

static void __attribute__((constructor(101))) start_at_load(void) {
    atomic_store(&loaded, true);
    if (gp_recorder_is_preloaded())
        return;
    if (!hooks_are_called()) {
        request = gp_environment_take();
        failure = foreign_allocator;
    }
    if (!request.path[0])
        return;
    if (failure) {
        gp_spool_report(request.path, failure);
        return;
    }
    gp_thread_make_key();
    prepare();
    watch_the_end();
    if (recorded_instruments & GP_INSTRUMENT_LEAKS)
        gp_snapshot_thread_start(request.snapshots);
}

const char *gp_recording_start(const char *path, uint32_t instruments) {
    if (gp_recorder_is_preloaded())
        return "A recorder of another version is preloaded: link the version of the gameprof that runs the program.";
    if (instruments & GP_INSTRUMENT_LEAKS)
        return "Leaks are found only in a program recorded from its first allocation: set GAMEPROF=leaks instead.";
    if (!hooks_are_called())
        return foreign_allocator;
    if (atomic_load(&stage) == GP_NEVER && gp_trace_is_being_written(path))
        return "The trace file cannot be written: a recording into it has not ended.";
    begin(path, instruments);
    if (failure)
        return failure;
    gp_thread_make_key();
    prepare();
    watch_the_end();
    return NULL;
}

static bool take_snapshot(uint8_t flags, const char *name) {
    gp_thread *thread = gp_recording_runs() ? gp_thread_current() : NULL;
    if (!thread || thread->busy || !runtime_is_known)
        return false;
    thread->busy = true;
    bool made = gp_heap_snapshot(thread, flags, name);
    thread->busy = false;
    return made;
}

bool gp_recording_snapshot(const char *name) {
    return take_snapshot(GP_HEAP_ON_REQUEST, name);
}

bool gp_recording_snapshot_at_peak(void) {
    return take_snapshot(GP_HEAP_AT_PEAK, "peak");
}

void gp_recording_stop(void) {
    gp_recording_finish(-1);
}

// Threads that are inside the recorder leave it soon; one that does not (it was stopped) is not waited for.
static void wait_for_others(const gp_thread *self) {
    // One that has just found the recording on shows that it is busy a moment later: hooks have no fence between the two, so
    // the pause stands for it. A thread that is held up for longer just there adds an event to a chunk that nobody copies.
    const gp_thread *first = gp_thread_first();
    if (first && first->next)
        gp_sleep(GP_MILLISECOND_NS);
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        for (int i = 0; i < GP_WAIT_STEPS && thread != self && *(volatile bool *)&thread->busy; i++)
            gp_sleep(GP_MILLISECOND_NS);
}

static bool flush(gp_thread *thread) {
    return gp_write_flush(&thread->writer) && !thread->writer.stopped;
}

static bool flush_all(void) {
    bool complete = true;
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        complete = flush(thread) && complete;
    return complete;
}

static void finish_with(gp_thread *thread, int status, bool ends_by_exec) {
    gp_write_beyond_limit(thread);
    gp_resident_close(thread, gp_now_ns());
    if (recorded_instruments & (GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_ALLOCATIONS) && runtime_is_known && !ends_by_exec &&
        !gp_spool_is_abandoned())
        gp_instruments_snapshot(thread, "exit");
    gp_sampled_write_live(thread);
    gp_program_write_exit(thread, status);
}

// A signal handler may end the program in the middle of malloc. What the thread was writing then stays as it is.
static void finish(int status, bool ends_by_exec) {
    gp_thread *own = gp_thread_current();
    const bool interrupted = !own || own->busy;
    gp_thread *thread = interrupted ? gp_thread_make_apart() : own;
    gp_snapshot_thread_stop();
    if (thread) {
        thread->busy = true;
        gp_thread_here = thread;
    }
    gp_instruments_finish(thread);
    if (thread)
        finish_with(thread, status, ends_by_exec);
    gp_recording.state = GP_RECORDING_OFF;
    follow_state();
    wait_for_others(own);
    bool complete = thread && gp_instruments_flush(thread);
    if (thread && interrupted)
        complete = flush(thread) && complete;
    gp_spool_close(flush_all() && complete);
    if (thread)
        thread->busy = false;
    gp_thread_here = own;
}

// Signals that have handlers wait meanwhile: a handler that ends the program too would wait for what it interrupted. One of
// a fault does not wait, and is not waited for.
static void finish_once(int status, bool ends_by_exec) {
    if (!is_recorded_process())
        return;
    const int saved = errno;
    gp_termination_end();  // whoever does not want to wait for the search
    const uint64_t mask = gp_signal_block_handled(gp_signal_bit(gp_stop_signal()) | gp_signal_bit(gp_sampler_signal()));
    const uint32_t self = (uint32_t)gp_system(gettid, 0);
    uint32_t started = GP_STARTED;
    if (atomic_compare_exchange_strong(&stage, &started, GP_FINISHING)) {
        atomic_store(&finisher, self);
        finish(status, ends_by_exec);
        atomic_store(&finisher, 0);
        atomic_store(&stage, GP_FINISHED);
    }
    gp_signal_set_mask(mask);
    gp_heap_timeout patience = {0};
    while (atomic_load(&stage) == GP_FINISHING && atomic_load(&finisher) != self && gp_heap_wait_on(&patience))
        continue;
    errno = saved;
}

void gp_recording_finish(int status) {
    finish_once(status, false);
}

void gp_recording_finish_for_exec(void) {
    finish_once(-1, true);
}
