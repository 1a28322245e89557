#include "recording.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <signal.h>
#include <string.h>

#include "CRecorderInterface.h"
#include "kernel_signals.h"
#include "mapping.h"
#include "program_mappings.h"
#include "program_record.h"
#include "progress_timeout.h"
#include "metadata.h"
#include "alloc_hooks.h"
#include "block_sampling.h"
#include "failing.h"
#include "heap.h"
#include "live_entry.h"
#include "stack_tree.h"
#include "virtual_mask.h"
#include "environment.h"
#include "images.h"
#include "exec_environment.h"
#include "dormant.h"
#include "forks.h"
#include "instruments.h"
#include "resident.h"
#include "runtime_message.h"
#include "signal_chain.h"
#include "swift_types.h"
#include "spool.h"
#include "stack.h"
#include "read_clock.h"
#include "system.h"
#include "task_list.h"
#include "termination.h"
#include "thread.h"
#include "thread_stack.h"
#include "trace_writer.h"

typedef enum { GP_NEVER, GP_STARTING, GP_STARTED, GP_FINISHING, GP_FINISHED } gp_stage;

static _Atomic uint32_t stage;
static _Atomic uint32_t finisher;  // the thread that ends the recording, 0: none
static _Atomic bool decided, loaded;
static gp_request request;
static uint32_t process;  // gp_recording.process, also in a child
static bool is_forked;  // and has a recording of its own
static const char *failure;
static const char foreign_allocator[] =
    "The program contains a malloc of its own, which takes the place of the recorder's: link that malloc as a shared "
    "library.";
static const char sanitized[] =
    "The program is built with a sanitizer (-sanitize=…), whose malloc takes the place of the "
    "recorder's: allocations, leaks and zombies can be recorded only of a build without.";
static bool is_late;  // the program ran before
static bool is_made_again;  // the process made a recording before
static bool runtime_is_known = true;  // the Swift runtime, if there is one, is laid out as the decoders expect

// Of the sanitizers that bring a malloc of their own. Resolved by the loader.
extern void __asan_init(void) __attribute__((weak));
extern void __hwasan_init(void) __attribute__((weak));
extern void __lsan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

enum { GP_EXIT_HANDLERS = 4, GP_WAIT_STEPS = 200, GP_COUNTED_CALLS = 1 << 24 };

static void follow_state(void) {
    if (gp_allocator_choose)
        gp_allocator_choose();
}

static bool is_recorded_process(void) {
    return gp_recording.process == gp_system(getpid, 0);
}

static bool has_sanitizer(void) {
    return __asan_init || __hwasan_init || __lsan_init || __msan_init || __tsan_init;
}

// What threads remember stays true: their memos name stacks and types of an earlier recording.
static void write_known(gp_thread *thread) {
    gp_images_write_again(thread);
    gp_stack_nodes_write_again(thread);
    gp_types_write_again(thread, 0);
}

static void begin(const char *path, uint32_t instruments) {
    failure = gp_instruments_exclusion(instruments);
    if (gp_page_size() != GP_PAGE && instruments & gp_instruments_needing(GP_NEEDS_SMALL_PAGES))
        failure = "This kernel's pages are larger than 4 KiB: zombies cannot be found.";
    if (!failure && gp_memory_limit() < GP_LEAST_MEMORY)
        failure = "The program " GP_SHORT_OF_MEMORY ".";
    if (failure)
        return;
    uint32_t never = GP_NEVER;
    if (!atomic_compare_exchange_strong(&stage, &never, GP_STARTING)) {
        failure = "A recording was already made by this process.";
        return;
    }
    gp_clock_start();
    gp_instruments_observe_threads();
    failure = gp_spool_open(path, request.max_size, gp_recording_is_dormant ? path : gp_exec_environment_trace());
    gp_thread *thread = failure ? NULL : gp_thread_current();
    if (!failure && !thread)
        failure = "There is no memory to record with.";
    if (failure)
        return;
    gp_recording.process = process = (uint32_t)gp_system(getpid, 0);
    gp_recording.instruments = instruments;
    gp_loader_find();
    thread->busy = true;
    gp_program_write(thread, instruments, is_late);
    if (is_made_again)
        write_known(thread);
    gp_instruments_start(thread, instruments, request.options);
    gp_thread_leave(thread);
    atomic_store(&stage, GP_STARTED);
    gp_system(madvise, &gp_recording, sizeof gp_recording, MADV_WIPEONFORK);
    const bool has_blocks = instruments & gp_instruments_needing(GP_NEEDS_BLOCKS);
    gp_recording_set(has_blocks ? GP_RECORDING_ON : GP_RECORDING_WITHOUT_BLOCKS);
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
    request = gp_environment_take();
    failure = request.refusal;
    if (request.path[0] && !failure)
        begin(request.path, request.instruments);
    follow_state();
    return gp_recording_now() == GP_RECORDING_ON;
}

// To whoever asked for the recording by the environment.
static void report(const char *sentence) {
    if (request.path[0])
        gp_spool_report(request.is_of_tool ? request.path : NULL, sentence);
}

// Instruments that were asked for find nothing here.
static void refuse(gp_thread *thread, uint32_t instruments, const char *reason) {
    if (gp_recording.instruments & instruments)
        report(reason);
    gp_recording.instruments &= ~instruments;
    gp_write_note(thread, reason);
}

static void prepare(void) {
    const uint32_t asked = gp_recording.instruments;
    gp_thread *thread = gp_thread_current();
    if (!thread)
        return;
    thread->busy = true;
    gp_images_refresh(thread);
    gp_machine_write(thread);
    if (gp_memory_is_limited())
        gp_write_note(thread,
                      "The program's memory is limited (ulimit -d, ulimit -v), and the recorder takes a part of it: "
                      "memory that the program was refused it might get without the recorder.");
    if (is_late && gp_recording_is_on())
        gp_write_note(thread,
                      "The recording began while the program ran: what it had allocated before is not among these "
                      "figures, nor is that it is freed.");
    gp_resident_open();
    gp_resident_note(thread, gp_now_ns());
    const char *mismatch = gp_runtime_self_check();
    if (has_sanitizer()) {
        refuse(thread, gp_instruments_needing(GP_NEEDS_BLOCKS), sanitized);
        runtime_is_known = false;
        mismatch = NULL;
    }
    // Where blocks are not known, counts in a side table cannot be found.
    const bool are_known = gp_instruments_know_blocks();
    gp_metadata_without_blocks = !are_known;
    if (!mismatch && runtime_is_known && gp_recording_now() == GP_RECORDING_ON && are_known)
        mismatch = gp_runtime_object_check();
    if (mismatch) {
        refuse(thread, gp_instruments_needing(GP_NEEDS_RUNTIME), mismatch);
        runtime_is_known = false;
    }
    gp_instruments_refuse(thread, gp_recording.instruments, refuse);
    gp_instruments_prepare(thread, asked, request.options);
    gp_thread_leave(thread);
}

// Of probes, which a linked recorder has, the child would not know the names.
bool gp_recording_suits_forks(void) {
#ifdef GP_PRELOADED
    static const uint32_t supported = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS | GP_INSTRUMENT_HEAP;
    return !(gp_recording.instruments & ~supported) && !gp_sampling_mean && !gp_failing_is_armed && !gp_live_age;
#else
    return false;
#endif
}

uint32_t gp_recording_before_fork(void) {
    const bool is_asked = gp_recording_is_on() && atomic_load(&stage) == GP_STARTED && gp_exec_environment_by_fork();
    if (!is_asked || !gp_recording_suits_forks())
        return 0;
    gp_thread *thread = gp_thread_enter();
    if (!thread)
        return 0;
    gp_images_refresh(thread);
    gp_thread_leave(thread);
    return gp_recording.instruments;
}

static bool write_block(const gp_block *block, void *thread) {
    const gp_alloc cell = {.kind = GP_ALLOC,
                           .size_high = (uint16_t)(block->size >> 32),
                           .size = (uint32_t)block->size,
                           .stack = block->stack,
                           .address = (uint32_t)(block->address >> 4)};
    if (!(block->flags & GP_BLOCK_RECORDER))
        gp_write_cell(thread, &cell);
    return true;
}

static void write_fork(gp_thread *thread, uint32_t parent, bool was_alone) {
    gp_forked record = {.header.kind = GP_FORKED, .parent = parent, .last_stack = gp_stack_last_node()};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    gp_types_begin_in_child();
    gp_images_begin_in_child(thread, was_alone);
    gp_stack_nodes_begin_in_child(thread);
    atomic_fetch_add(&gp_stack_generation, 1);
    gp_live_each(write_block, thread);
}

static void begin_in_child(void *instruments) {
    const char *const trace = gp_exec_environment_trace();
    if (gp_spool_tool_is_gone(trace, gp_exec_environment_names_tool()))
        return;
    const uint32_t parent = process;
    bool was_alone = true;
    for (const gp_thread *other = gp_thread_first(); other; other = other->next)
        was_alone = was_alone && (other == gp_thread_here || !atomic_load(&other->alive));
    gp_thread_stack_has_no_main |= gp_thread_here->id != parent;
    gp_thread *thread = gp_thread_begin_in_child();
    process = thread->id;
    gp_recording.instruments = *(const uint32_t *)instruments;
    gp_clock_start();
    gp_spool_leave();
    strcpy(request.path, trace);
    failure = gp_exec_environment_own_path(request.path, sizeof request.path)
                  ? gp_spool_open(request.path, request.max_size, trace)
                  : "The trace file cannot be written.";
    if (failure) {
        report(failure);
    } else {
        gp_program_write(thread, gp_recording.instruments, is_late);
        write_fork(thread, parent, was_alone);
        gp_machine_write(thread);
        gp_resident_open();
        gp_resident_note(thread, gp_now_ns());
        gp_heap_begin_in_child();
        gp_snapshot_thread_begin_in_child();
        atomic_store(&finisher, 0);
        gp_recording.process = process;
        is_forked = true;
    }
    gp_thread_leave(thread);
    if (!failure)
        gp_recording_set(GP_RECORDING_ON);
}

bool gp_recording_begin_in_child(uint32_t instruments) {
    gp_call_with_room(begin_in_child, &instruments);
    return gp_recording_runs();
}

static void exit_handler(int status, void *context) {
    (void)context;
    gp_recording_finish(status & 0xff, false);
}

// at_quick_exit would name this image, whose destructors exit() runs before the handlers of the end: from then on a signal
// handler's quick_exit() would not call them.
extern int __cxa_at_quick_exit(void (*function)(void *), void *image);

static void quick_exit_handler(void *nothing) {
    (void)nothing;
    gp_recording_finish(GP_STATUS_UNKNOWN, false);
}

// The recorder's own state of the calling thread, or where that is in use one apart. NULL: no memory.
static gp_thread *thread_in_handler(void) {
    gp_thread *own = gp_thread_current();
    return own && !own->busy ? own : gp_thread_make_apart();
}

static void write_crash(gp_thread *thread, const siginfo_t *info, const void *context) {
    const char *const message = gp_runtime_message();
    // Of a general protection fault the kernel knows no address.
    const bool is_raised = info && info->si_code > 0 && info->si_code != SI_KERNEL;
    const uint32_t id = (uint32_t)gp_system(gettid, 0);
    const uintptr_t address = is_raised ? (uintptr_t)info->si_addr : 0;
    const bool overflows = is_raised && (info->si_signo == SIGSEGV || info->si_signo == SIGBUS) &&
                           gp_thread_stack_overflows(id, address, gp_context_sp(context));
    const gp_registers start = context ? gp_context_start(context) : GP_REGISTERS_OF_STACK();
    uint32_t stack = gp_stack_id(thread, start);
    gp_stack_ends ends;
    const size_t calls = overflows ? gp_stack_unwind_ends(start, &ends, GP_COUNTED_CALLS) : 0;
    // Where a recursion began stands at its outer end.
    if (calls > GP_STACK_DEPTH && calls < GP_COUNTED_CALLS)
        stack = gp_stack_id_of_ends(thread, &ends, calls);
    gp_crash record = {
        .header = {.kind = GP_CRASH, .flags = overflows},
        .signal = info ? (uint32_t)info->si_signo : SIGABRT,
        .thread = id,
        .stack = stack,
        .has_address = is_raised,
        .address = address,
        .time_ns = gp_now_ns(),
        .calls = calls,
    };
    gp_write_record(thread, &record, sizeof record, message, strlen(message));
}

static void explain_warnings(gp_thread *thread) {
    if (gp_runtime_leaked_continuations())
        gp_write_note(thread,
                      "The runtime warned on standard error that a continuation leaked (SWIFT TASK CONTINUATION "
                      "MISUSE): nothing can resume it any more, so that the task that awaits it waits forever. "
                      "Resume it on every code path, including error paths.");
    gp_forks_explain(thread);
}

// A fault or abort() is about to end the program. Who reads the heap needs a descriptor, and there may be none left but that of
// resident memory.
static void note_crash(siginfo_t *info, void *context) {
    gp_thread *thread = is_recorded_process() && gp_recording_runs() ? thread_in_handler() : NULL;
    if (!thread)
        return;
    thread->busy = true;
    gp_write_beyond_limit(thread);
    gp_resident_close(thread, gp_now_ns());
    write_crash(thread, info, context);
    explain_warnings(thread);
    gp_program_write_thread_names(thread);
    if (runtime_is_known)
        gp_instruments_crash(thread, gp_recording.instruments, context);
    // A handler of the program's for SIGABRT may jump back into it.
    if (atomic_load(&stage) == GP_STARTED)
        gp_spool_restore_limit();
    gp_resident_open();
    gp_thread_leave(thread);
}

static void finish_at_signal(int signal) {
    gp_recording_finish(-signal, false);
}

// A signal that ends the program ends the recording before. Exit handlers are registered several times: when two threads
// exit at once, each runs some of the handlers, and the one that is not finishing waits in its handler.
static void watch_the_end(void) {
    static bool is_watched;
    for (int i = 0; i < GP_EXIT_HANDLERS && !is_watched; i++) {
        on_exit(exit_handler, NULL);
        __cxa_at_quick_exit(quick_exit_handler, NULL);
    }
    if (!is_watched)
        gp_forks_watch();
    is_watched = true;
    gp_termination_begin(finish_at_signal, note_crash);
}

// Whatever is called first of the malloc family decides, so a process that has not decided after this does not come to these
// hooks: they are another recorder's, or the program has a malloc of its own.
static bool hooks_are_called(void) {
    void *volatile no_block = NULL;
    if (!atomic_load(&decided))
        free(no_block);
    return atomic_load(&decided);
}

static void __attribute__((constructor(101))) start_at_load(void) {
    atomic_store(&loaded, true);
    if (!hooks_are_called()) {
        request = gp_environment_take();
        failure = has_sanitizer() ? sanitized : foreign_allocator;
    }
    if (request.is_dormant && !failure) {
        gp_instruments_wait(request.options);
        gp_dormant_begin();
    }
    if (!request.path[0])
        return;
    if (failure) {
        report(failure);
        return;
    }
    gp_thread_make_key();
    gp_task_note_filters();
    prepare();
    watch_the_end();
    gp_snapshot_thread_start(request.snapshots, gp_recording.instruments & gp_instruments_of_snapshots());
}

static const char *begin_late(const char *path, uint32_t instruments) {
    is_late = true;
    begin(path, instruments);
    if (failure)
        return failure;
    gp_thread_make_key();
    prepare();
    watch_the_end();
    return NULL;
}

// Nothing is recorded, and the threads are outside the recorder.
static void begin_again(void) {
    gp_spool_begin_again();
    gp_threads_begin_again();
    gp_live_forget();
    gp_program_places_forget();
    atomic_store(&finisher, 0);
    atomic_store(&stage, GP_NEVER);
    is_made_again = runtime_is_known = true;
    failure = NULL;
}

const char *gp_recording_wake(char *const *variables) {
    const uint32_t now = atomic_load(&stage);
    if (is_recorded_process() && (now == GP_STARTED || now == GP_FINISHING))
        return "The process is recorded already.";
    request = gp_environment_of(variables);
    const char *const too_late = gp_instruments_too_late(request.instruments);
    if (too_late || !request.instruments)
        return too_late ? too_late : "No instrument is named that the recorder in the process knows.";
    if (now != GP_NEVER)
        begin_again();
    const char *const refusal = begin_late(request.path, request.instruments);
    if (refusal)
        atomic_store(&stage, GP_FINISHED);
    return refusal;
}

const char *gp_start(const char *path, uint32_t instruments) {
    instruments = gp_instruments_with(instruments);
    const char *const too_late = gp_instruments_too_late(instruments);
    if (too_late)
        return too_late;
    if (!hooks_are_called())
        return has_sanitizer() ? sanitized : foreign_allocator;
    if (atomic_load(&stage) == GP_NEVER && gp_trace_is_being_written(path))
        return "The trace file cannot be written: a recording into it has not ended.";
    return begin_late(path, instruments);
}

static bool take_snapshot(uint8_t flags, const char *name) {
    gp_thread *thread = gp_recording_runs() ? gp_thread_current() : NULL;
    if (!thread || thread->busy || !runtime_is_known)
        return false;
    thread->busy = true;
    bool made = gp_instruments_snapshot(thread, flags, name);
    gp_thread_leave(thread);
    return made;
}

bool gp_snapshot(const char *name) {
    return take_snapshot(GP_HEAP_ON_REQUEST, name);
}

bool gp_recording_snapshot_at_peak(void) {
    return take_snapshot(GP_HEAP_AT_PEAK, "peak");
}

void gp_stop(void) {
    gp_recording_finish(GP_STATUS_UNKNOWN, false);
}

bool gp_is_recording(void) {
    return gp_recording_runs();
}

const char *gp_trace_path(void) {
    return gp_recording_runs() ? gp_spool_trace_path() : NULL;
}

// Threads that are inside the recorder leave it soon; one that does not (it was stopped) is not waited for.
static void wait_for_others(const gp_thread *self) {
    // One that has just found the recording on shows that it is busy a moment later: hooks have no fence between the two, so
    // the pause stands for it. A thread that is held up for longer just there adds an event to a chunk that nobody copies.
    const gp_thread *first = gp_thread_first();
    if (first && first->next)
        gp_sleep(GP_MILLISECOND_NS);
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next)
        for (int i = 0; i < GP_WAIT_STEPS && thread != self && !thread->is_hidden && gp_thread_is_inside(thread); i++)
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

static void finish_with(gp_thread *thread, int status, bool ends_by_exec, uint64_t ended) {
    gp_write_beyond_limit(thread);
    gp_resident_close(thread, ended);
    // The search makes a copy of the process, which shares all of its memory.
    if (is_forked)
        gp_machine_write_sharing(thread);
    gp_instruments_end(thread, gp_recording.instruments, runtime_is_known && !ends_by_exec && !gp_spool_is_abandoned());
    explain_warnings(thread);
    if (!ends_by_exec)
        gp_snapshot_thread_explain(thread);
    gp_program_write_exit(thread, status, ended);
}

// A signal handler may end the program in the middle of malloc. What the thread was writing then stays as it is. What a child
// made by fork did before it becomes another program is of no interest.
static void finish(int status, bool ends_by_exec) {
    if (ends_by_exec && is_forked) {
        gp_recording_set(GP_RECORDING_OFF);
        follow_state();
        gp_spool_discard();
        return;
    }
    const uint64_t ended = gp_now_ns();  // what follows is no part of the program's time
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
        finish_with(thread, status, ends_by_exec, ended);
    gp_recording_set(GP_RECORDING_OFF);
    follow_state();
    wait_for_others(own);
    bool complete = thread && gp_instruments_flush(thread);
    if (thread && interrupted)
        complete = flush(thread) && complete;
    gp_spool_close(flush_all() && complete);
    if (gp_recording_is_dormant) {
        gp_threads_begin_again();
        gp_live_forget();
    }
    if (thread)
        gp_thread_leave(thread);
    gp_thread_here = own;
}

// Of gp_recording_finish.
typedef struct {
    int status;
    bool ends_by_exec;
} ending;

// Signals that have handlers wait meanwhile: a handler that ends the program too would wait for what it interrupted. One of
// a fault does not wait, and is not waited for.
static void finish_once(void *argument) {
    const ending *how = argument;
    const int saved = errno;
    gp_termination_end();  // whoever does not want to wait for the search
    const uint64_t mask = gp_signal_block_handled(gp_signal_bit(gp_stop_signal()) | gp_instruments_signals());
    const uint32_t self = (uint32_t)gp_system(gettid, 0);
    uint32_t started = GP_STARTED;
    if (atomic_compare_exchange_strong(&stage, &started, GP_FINISHING)) {
        atomic_store(&finisher, self);
        finish(how->status, how->ends_by_exec);
        atomic_store(&finisher, 0);
        atomic_store(&stage, GP_FINISHED);
    }
    gp_signal_set_mask(mask);
    gp_progress_timeout patience = {0};
    while (atomic_load(&stage) == GP_FINISHING && atomic_load(&finisher) != self && gp_progress_wait(&patience))
        continue;
    errno = saved;
}

void gp_recording_finish(int status, bool ends_by_exec) {
    if (is_recorded_process())
        gp_call_with_room(finish_once, &(ending){status, ends_by_exec});
}
