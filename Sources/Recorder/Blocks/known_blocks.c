#include "alloc_hooks.h"

#include "block_events.h"
#include "block_sampling.h"
#include "live_entry.h"
#include "images.h"
#include "memory_probes.h"
#include "spool.h"

// Samples lie far apart: each has its time.
static void *sampled(gp_thread *thread, void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp,
                     uintptr_t fp) {
    thread->events_unlooked = 0;
    thread->busy = true;
    gp_figures_count_made(size);
    gp_thread_leave(thread);
    gp_on_alloc(block, size, how, pc, sp, fp);
    if (GP_UNLIKELY(gp_memory_alloc_is_watched()))
        gp_memory_alloc_probe((uintptr_t)block, size, gp_sampling_weight(size));
    return block;
}

void *gp_on_known_alloc(void *block, size_t size, uint8_t how, bool takes, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_thread *thread = gp_thread_current();
    const bool is_own = GP_UNLIKELY(!thread || thread->busy);
    if (GP_UNLIKELY(!block))
        return block;
    if (GP_UNLIKELY(takes && !is_own))
        return sampled(thread, block, size, how, pc, sp, fp);
    const uint32_t flags = is_own ? GP_BLOCK_RECORDER : gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0;
    if (GP_UNLIKELY(!gp_live_store((uintptr_t)block, gp_live_pack(size, 0, flags))))
        gp_spool_drop(1);
    return block;
}

void gp_known_free_begins(gp_thread *thread, const void *block) {
    thread->events_unlooked = 0;
    if (!gp_sampling_is_last())
        thread->last_block = 0;
    if (GP_UNLIKELY(gp_memory_free_is_watched()))
        gp_memory_free_probe((uintptr_t)block);
}

// Of a scope that is counted; a block is counted whether it is sampled or not.
GP_SLOW_PATH static void count_freed(uintptr_t address, gp_live_entry entry) {
    gp_thread *thread = gp_thread_current();
    if (!thread || thread->busy || gp_live_flags(entry) & GP_BLOCK_RECORDER)
        return;
    thread->busy = true;
    const uint64_t size = gp_live_size(entry, address);
    gp_counter_freed(address, size, 0, gp_event_type(thread, address, size, gp_live_flags(entry)));
    gp_thread_leave(thread);
}

void gp_on_known_free(void *block) {
    gp_live_entry *place = gp_live_find((uintptr_t)block);
    const gp_live_entry entry = place ? *place : 0;
    if (GP_UNLIKELY(!entry))
        return;
    if (GP_LIKELY(!gp_live_stack(entry))) {
        if (GP_UNLIKELY(gp_live_age & GP_AGE_COUNTED))
            count_freed((uintptr_t)block, entry);
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return;
    }
    gp_thread *thread = gp_thread_current();
    if (thread && !thread->busy && !(gp_live_flags(entry) & GP_BLOCK_RECORDER)) {
        thread->busy = true;
        const uint64_t size = gp_live_size(entry, (uintptr_t)block);
        const uint32_t type = gp_event_type(thread, (uintptr_t)block, size, gp_live_flags(entry));
        gp_figures_count_freed(gp_live_stack(entry), type, size);
        gp_thread_leave(thread);
    }
    if (thread && !thread->busy)
        gp_known_free_begins(thread, block);
    gp_on_free(block);
}
