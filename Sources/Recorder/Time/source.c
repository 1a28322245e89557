#include "source.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "system.h"
#include "kernel_signals.h"
#include "perf_event.h"
#include "sampled_thread.h"
#include "sampler.h"
#include "signal_chain.h"
#include "thread.h"

enum { SENTENCE_BYTES = 256 };

static bool by_perf;
static uint64_t period_ns;
static _Atomic int sample_signal;

int gp_sampler_signal(void) {
    return atomic_load_explicit(&sample_signal, memory_order_relaxed);
}

bool gp_source_is_perf(void) {
    return by_perf;
}

uint64_t gp_source_period(void) {
    return period_ns;
}

// Where the kernel can send traps, it also looks at CPU timers on the way back from a call, so that no call is interrupted. Ticks
// come every 1 to 10 ms.
uint16_t gp_source_kernel_periods(void) {
    enum { TICK_NS = 4000000 };
    if (!by_perf || gp_sampler_signal() != SIGTRAP)
        return 0;
    return period_ns < TICK_NS ? (uint16_t)(TICK_NS / period_ns) : 1;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal;
    if (info->si_code == SI_TIMER || info->si_code > 0)
        gp_sample_take(info, context);
}

// A trap that comes late, when sampling has ended, is none of the program's business either.
static bool on_trap(siginfo_t *info, void *context) {
    bool mine = gp_perf_event_sent(info) || gp_cpu_timer_sent(info);
    if (mine)
        gp_sample_take(info, context);
    return mine;
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

void gp_source_tell_refusal(int error) {
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    gp_thread *thread = atomic_flag_test_and_set(&reported) ? NULL : gp_thread_current();
    if (!thread)
        return;
    const bool was_busy = thread->busy;
    thread->busy = true;
    char room[SENTENCE_BYTES];
    gp_write_note(thread, sentence_of(room, "Some threads were sampled by a timer on their CPU clock",
                                      gp_perf_event_refusal(error)));
    if (!was_busy)
        gp_thread_leave(thread);
}

// A signal of the old kind is pending once at most. One of the real-time kind queues up while a thread blocks it, and
// when the queue is full the kernel sends SIGIO instead, which ends the program.
static int free_signal(void) {
    if (gp_signal_installed(gp_sampler_signal()) == (const void *)on_signal)
        return gp_sampler_signal();
    return gp_signal_is_unused(SIGSTKFLT) ? SIGSTKFLT : gp_signal_is_unused(SIGPROF) ? SIGPROF : SIGSTKFLT;
}

// Tries all that each thread's event will be asked for.
static int open_with(int signal) {
    atomic_store(&sample_signal, signal);
    int event = gp_perf_event_open((uint32_t)gp_system(gettid, 0), period_ns, signal);
    if (event < 0 || (gp_perf_event_begin(event) && gp_perf_event_set_period(event, period_ns)))
        return event;
    gp_perf_event_close(event);
    return -EOPNOTSUPP;
}

static void write_source(gp_thread *thread, bool waits, const char *way, const char *reason) {
    char room[SENTENCE_BYTES];
    const char *sentence = sentence_of(room, way, reason);
    gp_sampling record = {
        .header = {.kind = GP_SAMPLING, .flags = by_perf ? GP_SAMPLED_BY_PERF : GP_SAMPLED_BY_TIMER},
        .period_ns = period_ns,
        .wait_period_ns = waits ? GP_OBSERVER_PERIOD_NS : 0,
    };
    gp_write_record(thread, &record, sizeof record, sentence, strlen(sentence));
}

void gp_source_choose(gp_thread *thread, const gp_sampler_options *options) {
    int event = -1;
    period_ns = options->period_ns;
    if (options->source <= GP_SOURCE_PERF && gp_perf_event_may_trap())
        event = open_with(SIGTRAP);
    if (event < 0 && options->source != GP_SOURCE_TIMER)
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
        write_source(thread, options->waits, "Sampled by a task-clock perf event of each thread", NULL);
    } else {
        write_source(thread, options->waits, "Sampled by a timer on each thread's CPU clock",
                     options->source == GP_SOURCE_TIMER ? "that was asked for" : gp_perf_event_refusal(event));
    }
}
