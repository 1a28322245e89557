#include "instruments.h"

#include "TraceFormat.h"
#include "alternate_stack.h"
#include "stack.h"
#include "thread.h"
#include "words.h"

#define DECLARED(name) extern const gp_instrument gp_##name##_instrument;
GP_EACH_TAKING_PART(DECLARED)

#define LISTED(name) &gp_##name##_instrument,
const gp_instrument *const gp_instruments[GP_INSTRUMENT_COUNT] = {GP_EACH_TAKING_PART(LISTED)};

#define NAMED(NAME, name, number, with) {#name, GP_INSTRUMENT_##NAME, with},
static const struct {
    const char *name;
    uint32_t bit, with;
} names[] = {GP_EACH_INSTRUMENT(NAMED)};

enum { NAMES = sizeof names / sizeof *names };

static bool takes_part(const gp_instrument *instrument, uint32_t instruments) {
    return !instrument->recorded || instrument->recorded & instruments;
}

uint32_t gp_instruments_with(uint32_t instruments) {
    for (int i = 0; i < NAMES; i++)
        instruments |= instruments & names[i].bit ? names[i].with : 0;
    return instruments;
}

uint32_t gp_instruments_named(const char *list, bool *knows_all) {
    uint32_t instruments = 0;
    for (gp_word word; gp_word_next(&list, ", ", &word);) {
        int i = 0;
        while (i < NAMES && !gp_word_is(word, names[i].name))
            i++;
        if (i < NAMES)
            instruments |= names[i].bit;
        else if (word.length > 0)
            *knows_all = false;
    }
    return gp_instruments_with(instruments);
}

const char *gp_instruments_exclusion(uint32_t instruments) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->recorded & instruments && gp_instruments[i]->excluded & instruments)
            return gp_instruments[i]->exclusion;
    return NULL;
}

const char *gp_instruments_too_late(uint32_t instruments) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->recorded & instruments && gp_instruments[i]->too_late)
            return gp_instruments[i]->too_late;
    return NULL;
}

uint32_t gp_instruments_needing(gp_need need) {
    uint32_t found = 0;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        found |= gp_instruments[i]->needs & need ? gp_instruments[i]->recorded : 0;
    return found;
}

uint32_t gp_instruments_of_snapshots(void) {
    uint32_t found = 0;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        found |= gp_instruments[i]->snapshot ? gp_instruments[i]->recorded : 0;
    return found;
}

void gp_instruments_refuse(gp_thread *thread, uint32_t instruments,
                           void (*refuse)(gp_thread *thread, uint32_t refused, const char *reason)) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++) {
        const bool is_asked = gp_instruments[i]->refusal && takes_part(gp_instruments[i], instruments);
        const char *const reason = is_asked ? gp_instruments[i]->refusal() : NULL;
        if (reason)
            refuse(thread, gp_instruments[i]->recorded, reason);
    }
}

bool gp_instruments_know_blocks(void) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->knows_blocks && !gp_instruments[i]->knows_blocks())
            return false;
    return true;
}

void gp_instruments_start(gp_thread *thread, uint32_t instruments, const char *const *options) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->start && takes_part(gp_instruments[i], instruments))
            gp_instruments[i]->start(thread, options[i]);
}

void gp_instruments_prepare(gp_thread *thread, uint32_t instruments, const char *const *options) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->prepare && takes_part(gp_instruments[i], instruments))
            gp_instruments[i]->prepare(thread, options[i]);
}

void gp_instruments_wait(const char *const *options) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->wait)
            gp_instruments[i]->wait(options[i]);
}

void gp_instruments_thread_begins(void) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->thread_begins)
            gp_instruments[i]->thread_begins();
}

uint64_t gp_instruments_signals(void) {
    uint64_t signals = 0;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        signals |= gp_instruments[i]->signals ? gp_instruments[i]->signals() : 0;
    return signals;
}

void gp_instruments_finish(gp_thread *thread) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->finish)
            gp_instruments[i]->finish(thread);
}

bool gp_instruments_snapshot(gp_thread *thread, uint8_t flags, const char *name) {
    bool made = false;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->snapshot)
            made = gp_instruments[i]->snapshot(thread, flags, name) || made;
    return made;
}

void gp_instruments_crash(gp_thread *thread, uint32_t instruments, const void *context) {
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->crash && takes_part(gp_instruments[i], instruments))
            gp_instruments[i]->crash(thread, context);
}

void gp_instruments_end(gp_thread *thread, uint32_t instruments, bool may_look) {
    for (int i = GP_INSTRUMENT_COUNT - 1; i >= 0; i--)
        if (gp_instruments[i]->end && takes_part(gp_instruments[i], instruments))
            gp_instruments[i]->end(thread, may_look);
}

bool gp_instruments_flush(gp_thread *thread) {
    bool complete = true;
    for (int i = 0; i < GP_INSTRUMENT_COUNT; i++)
        if (gp_instruments[i]->flush)
            complete = gp_instruments[i]->flush(thread) && complete;
    return complete;
}

static void state_begins(gp_thread *thread) {
    gp_stacks_begin(gp_thread_stacks(thread));
    gp_alternate_stack_lend(&thread->signal_stack);
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
