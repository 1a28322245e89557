#include "zombies.h"

#include <sys/resource.h>

#include "TraceFormat.h"
#include "virtual_mask.h"
#include "chosen_objects.h"
#include "fault.h"
#include "guard_pages.h"
#include "options.h"
#include "guarded_page_pool.h"
#include "unowned_kept.h"
#include "quarantine.h"
#include "spool.h"
#include "system.h"
#include "signal_chain.h"
#include "trace_writer.h"
#include "zombie_record.h"

bool gp_zombies_on, gp_zombies_sampled_only;
uint32_t gp_zombie_sample_every;
bool gp_zombies_guard;
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

// How many bytes of addresses the program may have.
static uint64_t address_space(void) {
    struct rlimit limit;
    return gp_system(prlimit64, 0, RLIMIT_AS, NULL, &limit) < 0 ? RLIM_INFINITY : limit.rlim_cur;
}

// Reserves address space.
static void start(struct gp_thread *thread, const char *options) {
    gp_zombie_options_read(options);
    const uint64_t limit = address_space();
    if (!open_quarantine(thread, limit)) {
        gp_write_note(thread, "The address space is limited (ulimit -v): there is no room for a quarantine, so that no "
                              "zombie can be found.");
        return;
    }
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
        gp_chosen_open();
    // Quarantined blocks must remain distinct from the program's own.
    gp_spool_outlive_tool();
    gp_zombies_on = true;
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

// Looks once more at every dead block, and writes the summary.
static bool flush(struct gp_thread *thread) {
    if (gp_spool_is_abandoned())
        return false;
    if (!gp_zombies_on)
        return true;
    gp_quarantine_inspect(thread);
    gp_zombie_write_summary(thread);
    return true;
}

const gp_instrument gp_zombies_instrument = {
    .recorded = GP_INSTRUMENT_ZOMBIES,
    .variable = "GAMEPROF_ZOMBIES",
    .start = start,
    .prepare = prepare,
    .flush = flush,
};
