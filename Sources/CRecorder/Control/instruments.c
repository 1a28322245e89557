#include "instruments.h"

#include "guarded_samples.h"
#include "heap.h"
#include "history.h"
#include "probe_calls.h"
#include "sampler.h"
#include "stack.h"
#include "thread.h"
#include "zombies.h"

// Zombies prepare before the sampler: a fault in its handler is looked at too.
const gp_instrument *const gp_instruments[GP_INSTRUMENT_COUNT] = {
    &gp_leaks_instrument,  &gp_zombies_instrument, &gp_retains_instrument,   &gp_time_instrument,
    &gp_probes_instrument, &gp_heap_instrument,    &gp_abandoned_instrument, &gp_guarded_samples_instrument,
};

static bool takes_part(const gp_instrument *instrument, uint32_t instruments) {
    return !instrument->recorded || instrument->recorded & instruments;
}

void gp_instruments_start(struct gp_thread *thread, uint32_t instruments, const char *const *options) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->start && takes_part(gp_instruments[i], instruments))
            gp_instruments[i]->start(thread, options[i]);
}

void gp_instruments_prepare(struct gp_thread *thread, uint32_t instruments, const char *const *options) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->prepare && takes_part(gp_instruments[i], instruments))
            gp_instruments[i]->prepare(thread, options[i]);
}

void gp_instruments_thread_begins(void) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->thread_begins)
            gp_instruments[i]->thread_begins();
}

void gp_instruments_finish(struct gp_thread *thread) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->finish)
            gp_instruments[i]->finish(thread);
}

void gp_instruments_snapshot(struct gp_thread *thread, const char *name) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->snapshot)
            gp_instruments[i]->snapshot(thread, name);
}

bool gp_instruments_flush(struct gp_thread *thread) {
    bool complete = true;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->flush)
            complete = gp_instruments[i]->flush(thread) && complete;
    return complete;
}

static void state_begins(gp_thread *thread) {
    gp_stacks_begin(gp_thread_stacks(thread));
}

static void thread_ends(gp_thread *thread) {
    (void)thread;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->thread_ends)
            gp_instruments[i]->thread_ends();
}

void gp_instruments_observe_threads(void) {
    static const gp_thread_observer observer = {.begins = state_begins, .ends = thread_ends};
    gp_stack_observe_images();
    gp_thread_observe(&observer);
}
