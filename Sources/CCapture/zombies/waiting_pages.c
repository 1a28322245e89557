#include "waiting_pages.h"

#include "burial.h"
#include "page_supply.h"
#include "trace_writer.h"
#include "zombies.h"

// Deaths hurry when so many come within the time in which their pages cost a hundredth of it, but not when samples are
// dense: who asks for that wants to see everything. Programs that run for moments never hurry.
enum { WAITING_MOST = 32, WINDOW_NS = WAITING_MOST * 700000, UNHURRIED_DEATHS = 512, DENSE_SAMPLES = 100 };

// The graves that are used by turns, so that a word of a dead block tells for long which one it was.
enum { GRAVES_USED = 1024 };

static bool hurried;
static uint64_t window_start;
static uint32_t deaths, next_grave, waiting_count;
static struct { uint32_t page, grave; } waiting[WAITING_MOST];

bool gp_waiting_counts_death(void) {
    deaths++;
    if (deaths % WAITING_MOST != 0 || !gp_zombies_sampled_only || gp_zombie_asked.keep_going ||
        gp_zombie_asked.sample < DENSE_SAMPLES || gp_quarantine_first_pinned() < GRAVES_USED)
        return hurried;
    const uint64_t now = gp_coarse_ns();
    hurried = deaths > UNHURRIED_DEATHS && now - window_start < WINDOW_NS;
    window_start = now;
    return hurried;
}

bool gp_waiting_is_hurried(void) {
    return hurried;
}

bool gp_waiting_add(uint32_t page, const gp_grave *dead) {
    gp_grave *grave = gp_quarantine_grave(next_grave++ % GRAVES_USED);
    const uint64_t state = grave->state;
    *grave = *dead;
    grave->state = state;
    gp_poison((uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
    __atomic_store_n(&grave->state, state + 1, __ATOMIC_RELEASE);
    waiting[waiting_count].page = page;
    waiting[waiting_count++].grave = gp_grave_number(grave);
    return waiting_count == WAITING_MOST;
}

uint32_t gp_waiting_end(struct gp_thread *thread) {
    uint32_t pages[WAITING_MOST], count = waiting_count;
    for (uint32_t i = 0; i < count; i++) {
        gp_grave *grave = gp_quarantine_grave(waiting[i].grave);
        if (!gp_grave_stands(grave))
            gp_grave_broken(thread, grave);
        __atomic_store_n(&grave->state, grave->state + 1, __ATOMIC_RELEASE);
        pages[i] = waiting[i].page;
    }
    waiting_count = 0;
    return gp_pages_take_away(pages, count);
}
