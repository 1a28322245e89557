#include "zombies.h"

#include <sys/resource.h>

#include "believed_mask.h"
#include "fault.h"
#include "guard_pages.h"
#include "options.h"
#include "page_supply.h"
#include "pinned.h"
#include "quarantine.h"
#include "../recorder/system.h"
#include "signal_chain.h"
#include "trace_writer.h"
#include "zombie_record.h"

bool gp_zombies_on, gp_zombies_sampled_only;
uint32_t gp_zombie_sample_every;
bool gp_zombies_guard;
enum { FEWEST_GRAVES = 1024 };

// Where the address space is limited most of it stays the program's: it could start no thread any more.
enum { SHARE = 4 };

// Half as many graves, and again, until the address space allows them.
static bool open_quarantine(struct gp_thread *thread, uint64_t limit) {
    uint32_t count = gp_zombie_asked.quarantine_count;
    while (count >= FEWEST_GRAVES && gp_quarantine_space(count) > limit / SHARE)
        count /= 2;
    if (gp_quarantine_space(count) > limit / SHARE)
        return false;
    for (; !gp_quarantine_open(gp_zombie_asked.quarantine_bytes, count); count /= 2)
        if (count < FEWEST_GRAVES)
            return false;
    if (count < gp_zombie_asked.quarantine_count)
        gp_write_note(thread, "The address space is limited (ulimit -v): fewer dead blocks are kept than asked for.");
    return true;
}

// How many bytes of addresses the program may have.
static uint64_t address_space(void) {
    struct rlimit limit;
    return gp_system(prlimit64, 0, RLIMIT_AS, NULL, &limit) < 0 ? RLIM_INFINITY : limit.rlim_cur;
}

void gp_zombies_start(struct gp_thread *thread, const char *options) {
    gp_zombie_options_read(options);
    const uint64_t limit = address_space();
    if (!open_quarantine(thread, limit)) {
        gp_write_note(thread, "The address space is limited (ulimit -v): dead objects cannot be watched, so that no "
                              "zombie can be found.");
        return;
    }
    gp_zombies_guard = gp_zombie_asked.guard_all || gp_zombie_asked.guarded_types.names[0] || gp_zombie_asked.sample;
    if (gp_zombies_guard && (GP_GUARD_SPACE > limit / SHARE || !gp_guard_open())) {
        gp_zombies_guard = false;
        gp_write_note(thread, "The address space is limited (ulimit -v): no object can have pages of its own.");
    }
    gp_zombies_sampled_only = gp_zombie_asked.sample && gp_zombies_guard && !gp_zombie_asked.guard_all &&
                              !gp_zombie_asked.guarded_types.names[0];
    gp_zombie_sample_every = gp_zombie_asked.sample;
    gp_zombies_on = true;
}

void gp_zombies_prepare(void) {
    if (!gp_zombies_on)
        return;
    gp_signal_chain_begin(SIGSEGV, gp_fault_seen, gp_fault_ends);
    gp_signal_chain_begin(SIGBUS, gp_fault_seen, gp_fault_ends);
    gp_believed_mask_begin(gp_believed_mask);
    if (!gp_zombies_sampled_only)
        gp_pinned_prepare();
}

void gp_zombies_finish(struct gp_thread *thread) {
    if (!gp_zombies_on)
        return;
    gp_quarantine_inspect(thread);
    gp_zombie_write_summary(thread);
}
