#include "sampled_thread.h"

#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#include "arch.h"
#include "code.h"
#include "perf_event.h"
#include "source.h"
#include "system.h"
#include "thread_stack.h"
#include "sampler.h"
#include "recording_state.h"
#include "resident.h"

// The thread may stand on a signal stack, or in a coroutine: what is there is not its stack. That of a thread which the
// recorder does not know is looked up once.
static void find_stack(gp_sampled_thread *thread) {
    const gp_thread *known = gp_thread_here;
    gp_thread_stack stack = {0, 0};
    if (known)
        stack = (gp_thread_stack){known->stack_low, known->stack_high};
    else
        gp_thread_stack_find(thread->state.id, &stack);
    thread->state.stack_low = stack.low;
    thread->state.stack_high = stack.high;
    thread->has_bounds = true;
}

// The longest label and a sample.
enum { LABELLED_BYTES = sizeof(gp_work) + GP_WORK_NAME_BYTES + sizeof(gp_sample) };

// Said when it changes, and again in each chunk, which begins with nothing known: the sample stands in the same one.
static void note_work(gp_sampled_thread *thread) {
    const gp_writer *writer = &thread->state.writer;
    gp_write_together(&thread->state, LABELLED_BYTES);
    const bool changed = gp_work_label_changed(thread->state.id, &thread->work);
    const bool new_chunk = !writer->chunk || writer->chunk->sequence != thread->work_chunk;
    if (new_chunk ? thread->work.kind == GP_WORK_UNKNOWN : !changed)
        return;
    gp_work record = {.header = {.kind = GP_WORK, .flags = thread->work.kind}};
    const size_t length = thread->work.kind == GP_WORK_UNKNOWN ? 0 : strlen(thread->work.name);
    gp_write_record(&thread->state, &record, sizeof record, thread->work.name, length);
    thread->work_chunk = writer->chunk ? writer->chunk->sequence : 0;
}

static void write_sample(gp_sampled_thread *thread, uint16_t weight, const ucontext_t *context) {
    gp_registers at = {gp_context_pc(context), gp_context_sp(context), gp_context_fp(context),
                       gp_context_link(context)};
    if (!thread->has_bounds)
        find_stack(thread);
    uint32_t stack = gp_stack_id_interrupted(&thread->state, gp_thread_stacks(&thread->state), at);
    stack = gp_deep_stack_id(&thread->state, gp_thread_stacks(&thread->state), &thread->outermost, stack);
    gp_sample sample = {
        .kind = GP_SAMPLE,
        .weight = weight,
        .stack = gp_async_stack_id(&thread->state, gp_thread_stacks(&thread->state), &thread->awaiting, stack),
        .ns = gp_now_ns(),
    };
    gp_cpu_counts_count(sample.stack, weight);
    note_work(thread);
    gp_write_cell(&thread->state, &sample);
    gp_resident_note(&thread->state, sample.ns);
}

// How many signals a signal stands for.
static uint64_t signals_of(const siginfo_t *info) {
    return 1 + (info->si_code == SI_TIMER && info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0);
}

static uint16_t weight_of(uint64_t signals, uint16_t periods) {
    return signals < UINT16_MAX / periods ? (uint16_t)(signals * periods) : UINT16_MAX;
}

// The timer that a thread has besides its event counts for what passes in calls of the system: all else the event samples. Signals
// that were put off for longer than a tick of the kernel's may stand for either.
static void take(gp_sampled_thread *thread, const siginfo_t *info, void *context) {
    enum { SIGNALS_OF_A_TICK = 3 };
    const uint64_t signals = signals_of(info);
    const bool has_event = atomic_load_explicit(&thread->event, memory_order_relaxed) >= 0;
    if (has_event && gp_cpu_timer_sent(info)) {
        if (gp_code_is_behind_system_call(gp_context_pc(context)))
            write_sample(
                thread,
                weight_of(signals < SIGNALS_OF_A_TICK ? signals : SIGNALS_OF_A_TICK, gp_source_kernel_periods()),
                context);
    } else if (thread->first_ns == 0 || gp_sampled_thread_begin_regularly(thread)) {
        write_sample(thread, weight_of(signals, 1), context);
    }
}

void gp_sample_take(const siginfo_t *info, void *context) {
    const uint32_t state = gp_recording_now();
    if (!gp_sampler_is_on() || state == GP_RECORDING_UNKNOWN)
        return;
    gp_sampled_thread *thread = gp_sampled_thread_here;
    if (!thread)
        thread = gp_sampled_thread_here = gp_sampled_thread_find((uint32_t)gp_system(gettid, 0));
    if (!thread)
        return;
    // The tool is gone.
    if (state == GP_RECORDING_OFF) {
        gp_sampled_thread_disarm(thread);
        return;
    }
    if (atomic_load_explicit(&thread->inside, memory_order_relaxed)) {
        thread->lost++;
        return;
    }
    atomic_store_explicit(&thread->inside, true, memory_order_relaxed);
    // Whoever ends sampling stores that first and then looks whether the handler runs: one of the two sees the other.
    atomic_thread_fence(memory_order_seq_cst);
    if (!gp_sampler_is_on()) {
        atomic_store_explicit(&thread->inside, false, memory_order_relaxed);
        return;
    }
    take(thread, info, context);
    // Released: whoever ends sampling goes on writing into the same chunk.
    atomic_store_explicit(&thread->inside, false, memory_order_release);
}
