#include "sample.h"

#include <string.h>
#include <ucontext.h>

#include "../recorder/system.h"
#include "../recorder/thread_stack.h"
#include "arming.h"
#include "async_stack.h"
#include "deep_stack.h"
#include "recording.h"
#include "sampled_thread.h"
#include "sampler.h"

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
    const bool changed = gp_work_changed(thread->state.id, &thread->work);
    const bool new_chunk = !writer->chunk || writer->chunk->sequence != thread->work_chunk;
    if (new_chunk ? thread->work.kind == GP_WORK_UNKNOWN : !changed)
        return;
    gp_work record = {.header = {.kind = GP_WORK, .flags = thread->work.kind}};
    const size_t length = thread->work.kind == GP_WORK_UNKNOWN ? 0 : strlen(thread->work.name);
    gp_write_record(&thread->state, &record, sizeof record, thread->work.name, length);
    thread->work_chunk = writer->chunk ? writer->chunk->sequence : 0;
}

static void write_sample(gp_sampled_thread *thread, uint16_t weight, const greg_t *registers) {
    gp_registers at = {(uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP], (uintptr_t)registers[REG_RBP]};
    if (!thread->has_bounds)
        find_stack(thread);
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

// How many periods the signal stands for.
static uint16_t weight_of(const siginfo_t *info) {
    const uint64_t weight = 1 + (info->si_code == SI_TIMER && info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0);
    return weight < UINT16_MAX ? (uint16_t)weight : UINT16_MAX;
}

void gp_sample_take(const siginfo_t *info, void *context) {
    if (!gp_sampler_is_on() || !gp_recording_runs())
        return;
    gp_sampled_thread *thread = gp_sampled_thread_here;
    if (!thread)
        thread = gp_sampled_thread_here = gp_sampled_thread_find((uint32_t)gp_system(gettid, 0));
    if (!thread)
        return;
    if (thread->inside) {
        thread->lost++;
        return;
    }
    thread->inside = true;
    if (thread->first_ns == 0 || gp_sampled_thread_begin_regularly(thread))
        write_sample(thread, weight_of(info), ((const ucontext_t *)context)->uc_mcontext.gregs);
    thread->inside = false;
}
