#include "sampler.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "../recorder/mapping.h"
#include "../recorder/system.h"
#include "../recorder/task_list.h"
#include "../signals/kernel_signals.h"
#include "async_stack.h"
#include "cpu_timer.h"
#include "deep_stack.h"
#include "observer.h"
#include "options.h"
#include "perf_event.h"
#include "recording.h"
#include "sampled_thread.h"
#include "signal_chain.h"

enum { WAIT_STEPS = 200, SENTENCE_BYTES = 256 };
enum { TIMER_DELAY_NS = 60000 };  // by which an interrupt of the kernel's timer may come late, in a virtual machine

static __thread gp_sampled_thread *here __attribute__((tls_model("initial-exec")));
static gp_sampler_options options;
static bool by_perf;
static _Atomic int sample_signal;
static _Atomic bool sampling;

bool gp_sampler_is_on(void) {
    return atomic_load_explicit(&sampling, memory_order_relaxed);
}

int gp_sampler_signal(void) {
    return atomic_load_explicit(&sample_signal, memory_order_relaxed);
}

static uint32_t own_id(void) {
    return (uint32_t)gp_system(gettid, 0);
}

// -------------------------------------------------------------------------------------------------------- the sample

static void find_bounds(gp_sampled_thread *thread, uintptr_t sp) {
    gp_mapping mapping;
    thread->has_bounds = true;
    if (!gp_mapping_containing(sp, &mapping))
        return;
    bool is_main = thread->state.id == (uint32_t)gp_system(getpid, 0);
    thread->state.stack_low = is_main ? 0 : mapping.start;
    thread->state.stack_high = mapping.end;
}

// Said when it changes, and again in each chunk, which begins with nothing known.
static void note_work(gp_sampled_thread *thread) {
    const gp_writer *writer = &thread->state.writer;
    const bool changed = gp_work_changed(thread->state.id, &thread->work);
    const bool new_chunk = !writer->chunk || writer->chunk->sequence != thread->work_chunk;
    if (new_chunk ? thread->work.kind == GP_WORK_UNKNOWN : !changed)
        return;
    gp_work record = {.header = {.kind = GP_WORK, .flags = thread->work.kind}};
    const size_t length = thread->work.kind == GP_WORK_UNKNOWN ? 0 : strlen(thread->work.name);
    gp_write_record(&thread->state, &record, sizeof record, thread->work.name, length);
    thread->work_chunk = writer->chunk ? writer->chunk->sequence : 0;
}

static void take_sample(gp_sampled_thread *thread, uint16_t weight, const greg_t *registers) {
    gp_registers at = {(uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP], (uintptr_t)registers[REG_RBP]};
    if (!thread->has_bounds)
        find_bounds(thread, at.sp);
    uint32_t stack = gp_stack_id_interrupted(&thread->state, &thread->state.stacks, at);
    stack = gp_deep_stack_id(&thread->state, &thread->state.stacks, &thread->outermost, stack);
    gp_sample sample = {
        .kind = GP_SAMPLE,
        .weight = weight,
        .stack = gp_async_stack_id(&thread->state, &thread->state.stacks, &thread->awaiting, stack),
        .ns = gp_now_ns(),
    };
    note_work(thread);
    gp_write_cell(&thread->state, &sample);
}

// Gives the event its period. False: its first time fell into the kernel, where no sample is taken, and this is a later
// one, after no more than a part of a period. A time so short that it may only have come late counts.
static bool begin_regularly(gp_sampled_thread *thread) {
    const uint64_t first = thread->first_ns, late = first > TIMER_DELAY_NS ? first : TIMER_DELAY_NS;
    if (gp_perf_event_set_period(thread->event, options.period_ns))
        thread->first_ns = 0;
    return gp_cpu_time(thread->state.id) - thread->cpu_armed < first + late;
}

static void sample_here(const siginfo_t *info, void *context) {
    const bool of_timer = info->si_code == SI_TIMER;
    if (!gp_sampler_is_on() || !gp_recording_runs())
        return;
    gp_sampled_thread *thread = here;
    if (!thread)
        thread = here = gp_sampled_thread_find(own_id());
    if (!thread)
        return;
    if (thread->inside) {
        thread->lost++;
        return;
    }
    thread->inside = true;
    const bool counts = thread->first_ns == 0 || begin_regularly(thread);
    uint64_t weight = 1 + (of_timer && info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0);
    if (counts)
        take_sample(thread, weight < UINT16_MAX ? (uint16_t)weight : UINT16_MAX,
                    ((const ucontext_t *)context)->uc_mcontext.gregs);
    thread->inside = false;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal;
    if (info->si_code == SI_TIMER || info->si_code > 0)
        sample_here(info, context);
}

// A trap that comes late, when sampling has ended, is none of the program's business either.
static bool on_trap(siginfo_t *info, void *context) {
    bool mine = gp_perf_event_sent(info) || gp_cpu_timer_sent(info);
    if (mine)
        sample_here(info, context);
    return mine;
}

// ------------------------------------------------------------------------------------------------- threads to sample

static void disarm(gp_sampled_thread *thread) {
    int event = atomic_exchange(&thread->event, -1), timer = atomic_exchange(&thread->timer, -1);
    if (event >= 0)
        gp_perf_event_close(event);
    if (timer >= 0)
        gp_cpu_timer_remove(timer);
}

// `reason`: a clause, NULL: none. Both are the recorder's own texts, which fit.
static const char *sentence_of(char room[SENTENCE_BYTES], const char *what, const char *reason) {
    strcpy(room, what);
    if (reason) {
        strcat(room, ", because ");
        strcat(room, reason);
    }
    return strcat(room, ".");
}

// Said once: threads from here on are sampled less finely.
static void tell_refusal(int error) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    gp_thread *thread = atomic_flag_test_and_set(&told) ? NULL : gp_thread_current();
    if (!thread)
        return;
    const bool was_busy = thread->busy;
    thread->busy = true;
    char room[SENTENCE_BYTES];
    gp_write_note(thread, sentence_of(room, "Some threads were sampled by a timer on their CPU clock",
                                      gp_perf_event_refusal(error)));
    thread->busy = was_busy;
}

// When to take a thread's first sample: anywhere in its first period, or threads shorter than that would have none.
static uint64_t first_period(uint32_t id) {
    const uint64_t mixed = ((uint64_t)id << 32 ^ gp_now_ns()) * 0x9e3779b97f4a7c15ull;
    return 1 + ((mixed >> 32) * options.period_ns >> 32);
}

static void arm(gp_sampled_thread *thread) {
    const uint32_t id = thread->state.id;
    const int signal = gp_sampler_signal();
    const uint64_t first = first_period(id);
    int event = by_perf ? gp_perf_event_open(id, first, signal) : -1;
    if (event < 0)
        thread->timer = gp_cpu_timer_make(id, first, options.period_ns, signal);
    thread->cpu_armed = gp_cpu_time(id);
    thread->first_ns = event >= 0 ? first : 0;
    thread->event = event;
    if (event >= 0)
        gp_perf_event_begin(event);
    else if (by_perf)
        tell_refusal(event);
    // Whoever ended sampling meanwhile may have passed this thread by.
    if (!gp_sampler_is_on())
        disarm(thread);
}

static bool begin_with(uint32_t id, void *context) {
    (void)context;
    gp_sampled_thread *thread = id == gp_observer_thread() ? NULL : gp_sampled_thread_make(id);
    if (thread)
        arm(thread);
    return true;
}

static void let_signal_through(void) {
    uint64_t mask = 1ull << (gp_sampler_signal() - 1);
    gp_system(rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, sizeof mask);
}

void gp_sampler_thread_begins(void) {
    gp_thread *known = gp_sampler_is_on() ? gp_thread_current() : NULL;
    if (!known)
        return;
    let_signal_through();
    gp_sampled_thread *thread = gp_sampled_thread_make(known->id);
    if (!thread)
        return;
    thread->state.stack_low = known->stack_low;
    thread->state.stack_high = known->stack_high;
    thread->has_bounds = true;
    here = thread;
    arm(thread);
}

void gp_sampler_thread_ends(void) {
    if (!gp_sampler_is_on())
        return;
    gp_sampled_thread *thread = here ? here : gp_sampled_thread_find(own_id());
    if (!thread)
        return;
    thread->inside = true;
    disarm(thread);
    gp_sampled_thread_write_time(thread);
    here = NULL;
    atomic_store(&thread->owner, 0);
    thread->inside = false;
}

// ----------------------------------------------------------------------------------------------------- start and end

// A signal of the old kind is pending once at most. One of the real-time kind queues up while a thread blocks it, and
// when the queue is full the kernel sends SIGIO instead, which ends the program.
static int free_signal(void) {
    return gp_signal_is_unused(SIGSTKFLT) ? SIGSTKFLT : gp_signal_is_unused(SIGPROF) ? SIGPROF : SIGSTKFLT;
}

static void write_source(gp_thread *thread, const char *way, const char *reason) {
    char room[SENTENCE_BYTES];
    const char *sentence = sentence_of(room, way, reason);
    gp_sampling record = {
        .header = {.kind = GP_SAMPLING, .flags = by_perf ? GP_SAMPLED_BY_PERF : GP_SAMPLED_BY_TIMER},
        .period_ns = options.period_ns,
        .wait_period_ns = options.waits ? GP_OBSERVER_PERIOD_NS : 0,
    };
    gp_write_record(thread, &record, sizeof record, sentence, strlen(sentence));
}

// Tries all that each thread's event will be asked for.
static int open_with(int signal) {
    atomic_store(&sample_signal, signal);
    int event = gp_perf_event_open(own_id(), options.period_ns, signal);
    if (event < 0 || (gp_perf_event_begin(event) && gp_perf_event_set_period(event, options.period_ns)))
        return event;
    gp_perf_event_close(event);
    return -EOPNOTSUPP;
}

static void choose_source(gp_thread *thread) {
    int event = -1;
    if (options.source <= GP_SOURCE_PERF && gp_perf_event_may_trap())
        event = open_with(SIGTRAP);
    if (event < 0 && options.source != GP_SOURCE_TIMER)
        event = open_with(free_signal());
    by_perf = event >= 0;
    if (!by_perf)
        atomic_store(&sample_signal, free_signal());
    if (gp_sampler_signal() == SIGTRAP)
        gp_signal_chain_begin(SIGTRAP, on_trap, NULL);
    else
        gp_signal_handle(gp_sampler_signal(), on_signal, SA_RESTART);
    if (by_perf) {
        gp_perf_event_close(event);
        write_source(thread, "Sampled by a task-clock perf event of each thread", NULL);
    } else {
        write_source(thread, "Sampled by a timer on each thread's CPU clock",
                     options.source == GP_SOURCE_TIMER ? "that was asked for" : gp_perf_event_refusal(event));
    }
}

void gp_sampler_start(gp_thread *thread, const char *text) {
    options = gp_sampler_options_parse(text);
    if (options.waits && !gp_observer_start()) {
        options.waits = false;
        gp_write_note(thread, "Waiting threads are not shown: the kernel does not tell where they wait.");
    }
    gp_async_stack_prepare();
    gp_work_prepare();
    choose_source(thread);
    atomic_store(&sampling, true);
    gp_sampler_thread_begins();
    gp_task_each(begin_with, NULL);
}

static void wait_for_handler(const gp_sampled_thread *thread) {
    for (int i = 0; i < WAIT_STEPS && thread->inside && thread != here; i++)
        gp_system(nanosleep, &(struct timespec){.tv_nsec = 1000000}, 0);
}

void gp_sampler_finish(void) {
    if (!atomic_exchange(&sampling, false))
        return;
    gp_observer_stop();
    for (gp_sampled_thread *thread = gp_sampled_thread_first(); thread; thread = thread->next) {
        bool runs = atomic_load(&thread->owner) != 0;
        if (runs)
            disarm(thread);
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
