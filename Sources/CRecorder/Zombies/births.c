// Blocks are made: which get pages of their own, and what is known of all.
#include "quarantine_cache.h"
#include "chosen_objects.h"
#include "guard_pages.h"
#include "options.h"
#include "live_entry.h"
#include "loader_range.h"
#include "recording_state.h"
#include "thread.h"
#include "type_being_made.h"
#include "zombies.h"

__thread __attribute__((tls_model("initial-exec"))) uint32_t gp_zombie_since_sample;

void *gp_zombie_guarded_block(size_t size, size_t alignment, uintptr_t sp) {
    gp_thread *thread = size >= 16 && gp_recording_is_on() ? gp_thread_current() : NULL;
    if (!thread || thread->busy)
        return NULL;
    bool sampled = gp_zombie_asked.sample && gp_zombie_is_sampled();
    if (!sampled && !gp_zombie_asked.guard_all && !gp_zombie_asked.guarded_types.names[0])
        return NULL;
    thread->busy = true;
    uint32_t type = gp_type_being_made(thread, size, sp);
    bool wanted =
        type && (sampled || gp_zombie_asked.guard_all || gp_type_is_chosen(&gp_zombie_asked.guarded_types, type));
    void *block = wanted ? gp_guard_make(0, size, alignment, size) : NULL;
    if (sampled)
        gp_zombie_since_sample = 0;
    thread->busy = false;
    return block;
}

// `is_new`: nothing was written to it; `give_back` frees it then.
static inline __attribute__((always_inline)) void *born(void *block, size_t size, uintptr_t pc, uintptr_t sp,
                                                        uintptr_t fp, bool is_new, void (*give_back)(void *block)) {
    if (GP_UNLIKELY(!block))
        return block;
    gp_thread *thread = gp_thread_current();
    if (GP_UNLIKELY(!thread || thread->busy)) {
        gp_live_put((uintptr_t)block, size, 0, GP_BLOCK_RECORDER);
        return block;
    }
    thread->busy = true;
    uint32_t stack = gp_stack_of_thread(thread, gp_thread_stacks(thread), pc, sp, fp);
    if (is_new && gp_chosen_is_due(thread, stack) && !gp_is_loader_code(pc))
        block = gp_chosen_block(thread, block, size, stack, sp, give_back);
    gp_live_store((uintptr_t)block, gp_live_pack(size, stack, gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0));
    thread->busy = false;
    return block;
}

void *gp_zombie_born(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    return born(block, size, pc, sp, fp, false, NULL);
}

void *gp_zombie_made(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                     void (*give_back)(void *block)) {
    return born(block, size, pc, sp, fp, true, give_back);
}
