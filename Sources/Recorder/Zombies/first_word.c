#include <stdatomic.h>

#include "fault.h"
#include "guard_pages.h"

typedef struct {
    _Atomic bool waits;  // the use is not reported
    gp_zombie_use use;
} revealed_page;

static revealed_page pages[GP_REVEALED_MOST];  // by slot behind the quarantine's others; each is used once
static _Atomic uint32_t next_page;

static uint32_t slot_number(uint32_t page) {
    return gp_quarantine_first_revealed() + page;
}

static void report(struct gp_thread *thread, uint32_t page) {
    if (atomic_exchange(&pages[page].waits, false))
        gp_zombie_report(thread, gp_quarantine_slot_at(slot_number(page)), &pages[page].use);
}

bool gp_fault_is_tried_again(void) {
    enum { TRIES = 10000 };
    static _Atomic uint32_t tries;
    return atomic_load(&tries) < TRIES && atomic_fetch_add(&tries, 1) < TRIES;
}

static bool is_revealed(const gp_quarantine_slot *dead) {
    return __atomic_load_n(&dead->flags, __ATOMIC_ACQUIRE) & GP_SLOT_REVEALED;
}

bool gp_first_word_reveal(gp_quarantine_slot *dead, const gp_zombie_use *use) {
    if (gp_zombie_asked.keep_going || !dead->type)
        return false;
    if (is_revealed(dead))
        return gp_fault_is_tried_again();
    if (atomic_load(&next_page) >= GP_REVEALED_MOST)
        return false;
    const uint32_t page = atomic_fetch_add(&next_page, 1);
    if (page >= GP_REVEALED_MOST)
        return false;
    if (__atomic_fetch_or(&dead->flags, GP_SLOT_REVEALED, __ATOMIC_ACQ_REL) & GP_SLOT_REVEALED)
        return gp_fault_is_tried_again();
    gp_quarantine_slot *slot = gp_quarantine_slot_at(slot_number(page));
    *slot = *dead;
    slot->reports = 0;
    pages[page].use = *use;
    atomic_store(&pages[page].waits, true);
    if (gp_guard_reveal(dead, slot_number(page)))
        return true;
    atomic_store(&pages[page].waits, false);
    __atomic_fetch_and(&dead->flags, ~(uint32_t)GP_SLOT_REVEALED, __ATOMIC_RELEASE);
    return false;
}

void gp_first_word_reported(uint32_t number) {
    const uint32_t page = number - gp_quarantine_first_revealed();
    if (page < GP_REVEALED_MOST)
        atomic_store(&pages[page].waits, false);
}

void gp_first_words_report(struct gp_thread *thread) {
    for (uint32_t page = 0; page < GP_REVEALED_MOST; page++)
        report(thread, page);
}
