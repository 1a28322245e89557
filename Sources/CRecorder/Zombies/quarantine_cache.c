#include "quarantine_cache.h"

gp_quarantine_cache *gp_quarantine_cache_begin(gp_thread *thread) {
    void **slot = gp_thread_slot(thread, GP_INSTRUMENT_ZOMBIES);
    if (!*slot)
        *slot = gp_arena_allocate(sizeof(gp_quarantine_cache));
    gp_quarantine_cache *cache = *slot;
    if (cache) {
        gp_stacks_begin(&cache->stacks);
        cache->unlooked = 0;
        cache->thread = thread->id;
    }
    return cache;
}

void gp_quarantine_cache_read_clock(gp_quarantine_cache *cache) {
    uint64_t now = gp_coarse_ns();
    if (now == cache->last_ns)
        cache->unlooked = GP_FREES_PER_CLOCK_READ;
    cache->last_ns = now;
}
