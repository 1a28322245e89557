#include "alloc_hooks.h"

#include <string.h>

#include "block_events.h"
#include "block_sampling.h"
#include "first_free.h"
#include "live_entry.h"
#include "live_peak.h"
#include "images.h"
#include "object_list.h"
#include "repeated_block.h"
#include "spool.h"
#include "kernel_signals.h"

bool gp_allocator_is_foreign, gp_allocator_is_unknown;
void (*gp_allocator_choose)(void);
gp_object_death *gp_object_death_observer;

void *gp_on_alloc(void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_thread *thread = gp_thread_current();
    uintptr_t address = (uintptr_t)block;
    if (GP_UNLIKELY(!block))
        return block;
    if (GP_UNLIKELY(!thread || thread->busy)) {
        gp_live_put(address, size, 0, GP_BLOCK_RECORDER);
        return block;
    }
    thread->busy = true;
    gp_event_time(thread);
    uint32_t stack = gp_stack_id_inline(thread, gp_thread_stacks(thread), pc, sp, fp);
    if (!gp_repeated_is_made(thread, address, size, how, stack)) {
        uint32_t flags = gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0;
        gp_event_alloc(thread, address, size, how, stack);
        if (GP_UNLIKELY(!gp_live_store(address, gp_live_pack(size, stack, flags))))
            gp_spool_drop(1);
    }
    thread->last_block = address;
    thread->live_change += (int64_t)size;
    gp_thread_leave(thread);
    gp_live_changed(thread);
    return block;
}

static __attribute__((noinline)) void freed(void *block) {
    const uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? *place : 0;
    if (GP_UNLIKELY(!entry))
        return;
    gp_thread *thread = gp_thread_current();
    if (GP_UNLIKELY(!thread || thread->busy || (gp_live_flags(entry) & GP_BLOCK_RECORDER))) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        // A search has noted every address of the heap there: in a later block of the program they would seem to be references.
        if (thread && thread->is_hidden && !gp_allocator_is_foreign)
            memset(block, 0, gp_live_usable_size(address));
        return;
    }
    thread->busy = true;
    uint64_t size = gp_live_size(entry, address);
    uint32_t type = gp_event_type(thread, address, size, gp_live_flags(entry));
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    const uint32_t age = gp_live_age;
    if (GP_UNLIKELY(age & GP_AGE_COUNTED))
        gp_counter_freed(address, size, gp_live_stack(entry), type);
    if (gp_event_free(thread, address, size, gp_live_stack(entry), type))
        gp_repeated_note(thread, place, entry, address, size);
    if (GP_UNLIKELY(age & GP_AGE_LISTED))
        gp_object_list_freed(thread, &(gp_block){address, size, gp_live_stack(entry), 0}, type);
    if (GP_UNLIKELY(type && gp_first_free_is_due(gp_live_stack(entry))))
        gp_first_free_write(thread, gp_live_stack(entry));
    thread->live_change -= (int64_t)size;
    gp_thread_leave(thread);
    gp_live_changed(thread);
}

void gp_on_free(void *block) {
    gp_thread *thread = gp_thread_here;
    if (!thread || !gp_repeated_is_freed(thread, (uintptr_t)block))
        __attribute__((musttail)) return freed(block);
    gp_live_changed(thread);
}

gp_moving_block gp_on_realloc_begin(void *block) {
    uintptr_t address = (uintptr_t)block;
    gp_moving_block moving = {.thread = gp_thread_current()};
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? *place : 0;
    if (!entry)
        return moving;
    gp_thread *thread = moving.thread;
    moving.known = true;
    moving.block = (gp_block){address, gp_live_size(entry, address), gp_live_stack(entry), gp_live_flags(entry)};
    if (!thread || (thread->busy && !thread->is_hidden))
        return moving;
    if (!thread->is_hidden) {
        thread->busy = true;
        moving.type = gp_event_type(thread, address, moving.block.size, moving.block.flags);
        if (GP_UNLIKELY(gp_live_age & GP_AGE_COUNTED))
            gp_counter_freed(address, moving.block.size, moving.block.stack, moving.type);
        gp_thread_leave(thread);
    }
    thread->hold_stop = true;
    __atomic_store_n(place, entry | GP_BLOCK_MOVING, __ATOMIC_RELEASE);  // the handler finds hold_stop set before
    return moving;
}

// Another thread may already have been given the old address: its entry lacks the mark.
static void forget_moved(const gp_block *old) {
    gp_live_entry *place = gp_live_find(old->address);
    gp_live_entry expected = gp_live_pack(old->size, old->stack, old->flags | GP_BLOCK_MOVING);
    __atomic_compare_exchange_n(place, &expected, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void release_stop(gp_thread *thread) {
    thread->hold_stop = false;
    if (thread->stop_held) {
        thread->stop_held = false;
        gp_stop_signal_send(thread->id);
    }
}

void *gp_on_realloc_end(gp_moving_block moving, void *result, size_t size, bool freed, uintptr_t pc, uintptr_t sp,
                        uintptr_t fp) {
    gp_thread *thread = moving.thread;
    gp_block *old = &moving.block;
    bool records = thread && !thread->busy;
    if (!result && !freed) {
        if (moving.known)
            gp_live_put(old->address, old->size, old->stack, old->flags);
    } else if (moving.known) {
        const bool is_recorded = !(old->flags & GP_BLOCK_RECORDER) && (old->stack || !gp_sampling_mean);
        if (records && is_recorded) {
            thread->busy = true;
            if (GP_UNLIKELY(gp_sampling_mean != 0)) {
                gp_known_free_begins(thread, (const void *)old->address);
                gp_figures_count_freed(old->stack, moving.type, old->size);
            }
            gp_event_free(thread, old->address, old->size, old->stack, moving.type);
            thread->live_change -= (int64_t)old->size;
            gp_thread_leave(thread);
        }
        forget_moved(old);
    }
    if (result && gp_sampling_mean)
        gp_on_known_alloc(result, size, GP_HOW_REALLOC, gp_sampling_takes(size), pc, sp, fp);
    else if (result)
        gp_on_alloc(result, size, GP_HOW_REALLOC, pc, sp, fp);
    if (moving.known && thread && (records || thread->is_hidden)) {
        release_stop(thread);
        gp_live_changed(thread);
    }
    return result;
}
