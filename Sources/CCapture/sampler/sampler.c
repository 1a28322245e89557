#include "sampler.h"

#include <stdatomic.h>
#include <time.h>

#include "../recorder/system.h"
#include "../recorder/task_list.h"
#include "../signals/kernel_signals.h"
#include "arming.h"
#include "async_stack.h"
#include "observer.h"
#include "options.h"
#include "sampled_thread.h"
#include "source.h"

enum { WAIT_STEPS = 200 };

static _Atomic bool sampling;

bool gp_sampler_is_on(void) {
    return atomic_load_explicit(&sampling, memory_order_relaxed);
}

static bool begin_with(uint32_t id, void *context) {
    (void)context;
    gp_sampled_thread *thread = id == gp_observer_thread() ? NULL : gp_sampled_thread_make(id);
    if (thread)
        gp_sampled_thread_arm(thread);
    return true;
}

void gp_sampler_thread_begins(void) {
    gp_thread *known = gp_sampler_is_on() ? gp_thread_current() : NULL;
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

void gp_sampler_thread_ends(void) {
    if (!gp_sampler_is_on())
        return;
    gp_sampled_thread *thread = gp_sampled_thread_here;
    if (!thread)
        thread = gp_sampled_thread_find((uint32_t)gp_system(gettid, 0));
    if (!thread)
        return;
    thread->inside = true;
    gp_sampled_thread_disarm(thread);
    gp_sampled_thread_write_time(thread);
    gp_sampled_thread_here = NULL;
    atomic_store(&thread->owner, 0);
    thread->inside = false;
}

void gp_sampler_start(gp_thread *thread, const char *text) {
    gp_sampler_options options = gp_sampler_options_parse(text);
    if (options.waits && !gp_observer_start()) {
        options.waits = false;
        gp_write_note(thread, "Waiting threads are not shown: the kernel does not tell where they wait.");
    }
    gp_async_stack_prepare();
    gp_work_prepare();
    gp_source_choose(thread, &options);
    atomic_store(&sampling, true);
    gp_sampler_thread_begins();
    gp_task_each(begin_with, NULL);
}

static void wait_for_handler(const gp_sampled_thread *thread) {
    for (int i = 0; i < WAIT_STEPS && thread->inside && thread != gp_sampled_thread_here; i++)
        gp_system(nanosleep, &(struct timespec){.tv_nsec = 1000000}, 0);
}

void gp_sampler_finish(void) {
    if (!atomic_exchange(&sampling, false))
        return;
    gp_observer_stop();
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

bool gp_sampler_flush(void) {
    bool complete = gp_observer_flush();
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next)
        complete = gp_write_flush(&thread->state.writer) && !thread->state.writer.stopped && complete;
    return complete;
}
