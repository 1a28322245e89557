#include "zombies.h"

#include "TraceFormat.h"
#include "mapping.h"
#include "virtual_mask.h"
#include "fault.h"
#include "guard_pages.h"
#include "unowned_kept.h"
#include "quarantine.h"
#include "spool.h"
#include "system.h"
#include "signal_chain.h"
#include "trace_writer.h"
#include "words.h"
#include "zombie_record.h"

bool gp_zombies_on, gp_zombies_sampled_only;
uint32_t gp_zombie_sample_every;
bool gp_zombies_guard;

// ------------------------------------------------------------------------------------------------------------ options

enum { DEFAULT_BYTES = 32 << 20, DEFAULT_COUNT = 1 << 16 };

gp_zombie_options gp_zombie_asked = {.quarantine_bytes = DEFAULT_BYTES, .quarantine_count = DEFAULT_COUNT};

static uint32_t at_most(uint64_t number, uint32_t limit) {
    return number < limit ? (uint32_t)number : limit;
}

static void take_option(gp_word word) {
    gp_zombie_options *asked = &gp_zombie_asked;
    gp_word value;
    if (gp_word_value(word, "quarantine-bytes", &value))
        asked->quarantine_bytes = gp_number_at(value.text);
    else if (gp_word_value(word, "quarantine-count", &value))
        asked->quarantine_count = at_most(gp_number_at(value.text), GP_SLOTS_MOST);
    else if (gp_word_value(word, "sample", &value))
        asked->sample = at_most(gp_number_at(value.text), UINT32_MAX);
    else if (gp_word_value(word, "guard", &value))
        gp_choose_types(&asked->guarded_types, value.text, value.length);
    else if (gp_word_is(word, "guard"))
        asked->guard_all = true;
    else if (gp_word_is(word, "no-guard"))
        asked->no_guard = true;
    else if (gp_word_is(word, "keep-going"))
        asked->keep_going = true;
}

static void read_options(const char *list) {
    for (gp_word word; gp_word_next(&list, ";", &word);)
        take_option(word);
    if (gp_zombie_asked.quarantine_count == 0)
        gp_zombie_asked.quarantine_count = 1;
}

// ------------------------------------------------------------------------------------------------------ the instrument

enum { FEWEST_SLOTS = 1024 };

// Where the address space is limited most of it stays the program's: it could start no thread any more.
enum { SHARE = 4, SHARE_UNASKED = 16 };

// Half as many slots, and again, until the address space allows them.
static bool open_quarantine(struct gp_thread *thread, uint64_t limit) {
    uint32_t count = gp_zombie_asked.quarantine_count;
    while (count >= FEWEST_SLOTS && gp_quarantine_space(count) > limit / SHARE)
        count /= 2;
    if (gp_quarantine_space(count) > limit / SHARE)
        return false;
    for (; !gp_quarantine_open(gp_zombie_asked.quarantine_bytes, count); count /= 2)
        if (count < FEWEST_SLOTS)
            return false;
    if (count < gp_zombie_asked.quarantine_count)
        gp_write_note(thread,
                      "The address space is limited (ulimit -v): the quarantine has fewer blocks than requested.");
    return true;
}

// Reserves address space.
static void start(struct gp_thread *thread, const char *options) {
    read_options(options);
    const uint64_t limit = gp_address_space_limit();
    if (!open_quarantine(thread, limit))
        return;
    gp_zombies_guard = gp_zombie_asked.guard_all || gp_zombie_asked.guarded_types.names[0] || gp_zombie_asked.sample;
    bool chooses = !gp_zombie_asked.guard_all && !gp_zombie_asked.sample && !gp_zombie_asked.keep_going &&
                   !gp_zombie_asked.no_guard;
    const uint64_t most = limit / (gp_zombies_guard ? SHARE : SHARE_UNASKED);
    if ((gp_zombies_guard || chooses) && (GP_GUARD_SPACE > most || !gp_guard_open())) {
        gp_zombies_guard = chooses = false;
        gp_write_note(thread, "The address space is limited (ulimit -v): no object can have pages of its own.");
    }
    gp_zombies_sampled_only = gp_zombie_asked.sample && gp_zombies_guard && !gp_zombie_asked.guard_all &&
                              !gp_zombie_asked.guarded_types.names[0];
    gp_zombie_sample_every = gp_zombie_asked.sample;
    if (chooses)
        gp_guard_choose();
    // Quarantined blocks must remain distinct from the program's own.
    gp_spool_outlive_tool();
    gp_zombies_on = true;
}

static const char *refusal(void) {
    return gp_zombies_on ? NULL : "The address space is limited (ulimit -v): there is no room for a quarantine.";
}

static bool knows_blocks(void) {
    return !gp_zombies_sampled_only;
}

// Takes the fault signals over.
static void prepare(struct gp_thread *thread, const char *options) {
    (void)thread, (void)options;
    if (!gp_zombies_on)
        return;
    gp_signal_chain_begin(SIGSEGV, gp_fault_seen, gp_fault_ends);
    gp_signal_chain_begin(SIGBUS, gp_fault_seen, gp_fault_ends);
    gp_virtual_mask_begin(gp_virtual_mask);
    if (!gp_zombies_sampled_only)
        gp_unowned_kept_prepare();
}

// Looks once more at every quarantined block, and writes the summary.
static bool flush(struct gp_thread *thread) {
    if (gp_spool_is_abandoned())
        return false;
    if (!gp_zombies_on)
        return true;
    gp_quarantine_inspect(thread);
    gp_zombie_write_summary(thread);
    return true;
}

static void crash(struct gp_thread *thread, const void *context) {
    // Without a context abort() meets a handler of the program's, which may go on.
    if (gp_zombies_on && context)
        gp_fault_crashes(thread, context);
}

// Its options: of GAMEPROF_ZOMBIES.
const gp_instrument gp_zombies_instrument = {
    .recorded = GP_INSTRUMENT_ZOMBIES,
    .variable = "GAMEPROF_ZOMBIES",
    .needs = GP_NEEDS_BLOCKS | GP_NEEDS_RUNTIME | GP_NEEDS_SMALL_PAGES,
    .excluded = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS,
    .exclusion = "Zombies cannot be combined with allocations, leaks or heap.",
    .refusal = refusal,
    .knows_blocks = knows_blocks,
    .start = start,
    .prepare = prepare,
    .crash = crash,
    .flush = flush,
};
