#include "deferred_protection.h"

#include "quarantine_insert.h"
#include "guarded_page_pool.h"
#include "trace_writer.h"
#include "zombies.h"

// Deaths hurry when so many come within the time in which their pages cost a hundredth of it, but not when samples are
// dense: who asks for that wants to see everything. Programs that run for moments never hurry.
enum { WAITING_MOST = 32, WINDOW_NS = WAITING_MOST * 700000, UNHURRIED_DEATHS = 512, DENSE_SAMPLES = 100 };

// The slots that are used by turns, so that a word of a dead block tells for long which one it was.
enum { SLOTS_USED = 1024 };

static bool hurried;
static uint64_t window_start;
static uint32_t frees, next_slot, waiting_count;
static struct { uint32_t page, slot; } waiting[WAITING_MOST];

bool gp_deferred_is_needed(void) {
    frees++;
    if (frees % WAITING_MOST != 0 || !gp_zombies_sampled_only || gp_zombie_asked.keep_going ||
        gp_zombie_asked.sample < DENSE_SAMPLES || gp_quarantine_first_unowned_kept() < SLOTS_USED)
        return hurried;
    const uint64_t now = gp_coarse_ns();
    hurried = frees > UNHURRIED_DEATHS && now - window_start < WINDOW_NS;
    window_start = now;
    return hurried;
}

bool gp_deferred_is_active(void) {
    return hurried;
}

bool gp_deferred_add(uint32_t page, const gp_quarantine_slot *dead) {
    gp_quarantine_slot *slot = gp_quarantine_slot_at(next_slot++ % SLOTS_USED);
    const uint64_t state = slot->state;
    *slot = *dead;
    slot->state = state;
    gp_poison((uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
    __atomic_store_n(&slot->state, state + 1, __ATOMIC_RELEASE);
    waiting[waiting_count].page = page;
    waiting[waiting_count++].slot = gp_slot_number(slot);
    return waiting_count == WAITING_MOST;
}

uint32_t gp_deferred_protect(struct gp_thread *thread) {
    uint32_t pages[WAITING_MOST], count = waiting_count;
    for (uint32_t i = 0; i < count; i++) {
        gp_quarantine_slot *slot = gp_quarantine_slot_at(waiting[i].slot);
        if (!gp_slot_is_intact(slot))
            gp_slot_report_write(thread, slot);
        __atomic_store_n(&slot->state, slot->state + 1, __ATOMIC_RELEASE);
        pages[i] = waiting[i].page;
    }
    waiting_count = 0;
    return gp_pages_take_away(pages, count);
}
