#include "deaths.h"

gp_deaths *gp_deaths_begin(gp_thread *thread) {
    if (!thread->deaths)
        thread->deaths = gp_arena_allocate(sizeof *thread->deaths);
    gp_deaths *deaths = thread->deaths;
    if (deaths) {
        gp_stacks_begin(&deaths->stacks);
        deaths->unlooked = 0;
        deaths->thread = thread->id;
    }
    return deaths;
}

void gp_deaths_look_at_clock(gp_deaths *deaths) {
    uint64_t now = gp_coarse_ns();
    if (now == deaths->last_ns)
        deaths->unlooked = GP_DEATHS_BETWEEN_LOOKS;
    deaths->last_ns = now;
}
