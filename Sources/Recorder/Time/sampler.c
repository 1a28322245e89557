#include "sampler.h"
#include "instrument.h"

#include <stdatomic.h>
#include <time.h>

#include "system.h"
#include "task_list.h"
#include "kernel_signals.h"
#include "virtual_mask.h"
#include "sampled_thread.h"
#include "sampled_stack.h"
#include "source.h"
#include "stack_frames.h"
#include "read_clock.h"
#include "recording_state.h"

enum { WAIT_STEPS = 200 };

static _Atomic bool sampling;

bool gp_sampler_is_on(void) {
    return atomic_load(&sampling);
}

static bool begin_with(uint32_t id, void *context) {
    (void)context;
    gp_sampled_thread *thread = id == gp_wall_sampler_thread() ? NULL : gp_sampled_thread_make(id);
    if (thread)
        gp_sampled_thread_arm(thread);
    return true;
}

void gp_sampler_begin_in_child(void) {
    atomic_store(&sampling, false);
    gp_sampled_threads_begin_again();
    gp_sampled_thread_here = NULL;
}

// Samples the calling thread from now on, until it ends.
static void thread_begins(void) {
    gp_thread *known = gp_sampler_is_on() && gp_recording_runs() ? gp_thread_current() : NULL;
    if (!known)
        return;
    gp_signal_unblock(gp_sampler_signal());
    gp_sampled_thread *thread = gp_sampled_thread_make(known->id);
    if (!thread)
        return;
    thread->state.stack_low = known->stack_low;
    thread->state.stack_high = known->stack_high;
    thread->has_bounds = true;
    gp_sampled_thread_here = thread;
    gp_sampled_thread_arm(thread);
}

static void thread_ends(void) {
    if (!gp_sampler_is_on())
        return;
    gp_sampled_thread *thread = gp_sampled_thread_here;
    if (!thread)
        thread = gp_sampled_thread_find((uint32_t)gp_system(gettid, 0));
    if (!thread)
        return;
    atomic_store_explicit(&thread->inside, true, memory_order_relaxed);
    // As in a handler: whoever ends sampling sees that, or writes this thread's time itself.
    atomic_thread_fence(memory_order_seq_cst);
    if (!gp_sampler_is_on()) {
        atomic_store_explicit(&thread->inside, false, memory_order_release);
        return;
    }
    gp_sampled_thread_disarm(thread);
    gp_sampled_thread_write_time(thread);
    gp_sampled_thread_here = NULL;
    // Still inside until the next owner prepares it, so that no late sample writes here.
    atomic_store(&thread->owner, 0);
}

static void start(gp_thread *thread, const char *text) {
    (void)thread, (void)text;
    gp_stack_frames_keep_all();
}

static void prepare(gp_thread *thread, const char *text) {
    gp_sampler_options options = gp_sampler_options_parse(text);
    if (options.waits && !gp_wall_sampler_start()) {
        options.waits = false;
        gp_write_note(thread, "Waiting threads are not shown: the kernel does not provide their position.");
    }
    gp_async_stack_prepare();
    gp_work_label_prepare();
    gp_source_choose(thread, &options);
    atomic_store(&sampling, true);
    thread_begins();
    gp_task_each(begin_with, NULL);
}

// After the fence that is the counterpart of the one in sample.c.
static void wait_for_handler(const gp_sampled_thread *thread) {
    for (int i = 0; i < WAIT_STEPS && atomic_load(&thread->owner) != 0 &&
                    atomic_load_explicit(&thread->inside, memory_order_acquire) && thread != gp_sampled_thread_here;
         i++)
        gp_system(nanosleep, &(struct timespec){.tv_nsec = 1000000}, 0);
}

// Ends sampling, waits for handlers that still run, writes what the threads used in all.
static void finish(gp_thread *caller) {
    (void)caller;
    if (!atomic_exchange(&sampling, false))
        return;
    atomic_thread_fence(memory_order_seq_cst);  // an exchange is no fence: a load behind it may come before its store
    gp_wall_sampler_stop();
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next) {
        bool runs = atomic_load(&thread->owner) != 0;
        if (runs)
            gp_sampled_thread_disarm(thread);
        wait_for_handler(thread);
        // One that has ended meanwhile has said so itself.
        if (runs && atomic_load(&thread->owner) != 0)
            gp_sampled_thread_write_time(thread);
    }
}

static bool flush(gp_thread *caller) {
    (void)caller;
    bool complete = gp_wall_sampler_flush();
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next)
        complete = gp_write_flush(&thread->state.writer) && !thread->state.writer.stopped && complete;
    if (gp_recording_is_dormant)
        gp_sampled_threads_begin_again();
    return complete;
}

static uint64_t signals(void) {
    return gp_signal_bit(gp_sampler_signal());
}

// Its options: "rate=1000;wall;source=perf" in any order. When it is prepared it chooses how to sample, says so in the
// trace (GP_SAMPLING), and begins with all threads that there are.
const gp_instrument gp_time_instrument = {
    .recorded = GP_INSTRUMENT_TIME,
    .variable = "GAMEPROF_TIME",
    .start = start,
    .prepare = prepare,
    .thread_begins = thread_begins,
    .thread_ends = thread_ends,
    .signals = signals,
    .finish = finish,
    .flush = flush,
};
