#include "quarantine_insert.h"

#include <stdatomic.h>

#include "arch.h"
#include "dead_block.h"
#include "guard_pages.h"
#include "layout.h"
#include "lock.h"
#include "live_entry.h"
#include "unowned_kept.h"
#include "object_deaths.h"
#include "recording_state.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "zombie_record.h"
#include "zombies.h"

static gp_quarantine_result die_again(gp_thread *thread, gp_quarantine_slot *slot, gp_registers caller) {
    gp_zombie_report(thread, slot,
                     &(gp_zombie_use){
                         .access = GP_ACCESS_FREE,
                         .flags = gp_zombie_asked.keep_going ? GP_ZOMBIE_CONTINUED : 0,
                         .stack = gp_stack_id(thread, caller),
                     });
    if (gp_zombie_asked.keep_going)
        return GP_QUARANTINED;
    gp_zombie_write_summary(thread);
    return GP_DIED_TWICE;
}

static void quarantine_page(gp_thread *thread, uintptr_t address, gp_live_entry entry, uint32_t stack) {
    gp_quarantine_slot dead = {
        .address = address,
        .size = gp_live_size(entry, address),
        .metadata = *(uintptr_t *)address,
        .type = gp_type_id(thread, *(uintptr_t *)address, gp_live_size(entry, address)),
        .allocated = gp_live_stack(entry),
        .deallocated = stack,
        .thread = thread->id,
        .time_ns = gp_coarse_ns(),
        .flags = GP_ZOMBIE_GUARDED,
    };
    gp_unowned_kept_freed(&dead);
    gp_object_died(thread, address, dead.type, stack);
    gp_guard_quarantine(thread, &dead);
}

// Another thread freed the block at the same moment and was first.
GP_SLOW_PATH static gp_quarantine_result quarantine_slowly(gp_thread *thread, gp_quarantine_cache *cache,
                                                           uintptr_t address, const gp_live_entry *place,
                                                           gp_registers caller) {
    cache->quarantined--;
    gp_quarantine_slot *slot = gp_dead_block(__atomic_load_n(place, __ATOMIC_ACQUIRE), address);
    return slot ? die_again(thread, slot, caller) : GP_NOT_OURS;
}

// The same of a block with a page of its own: the other thread may not have come to the end of it.
static gp_quarantine_result quarantine_page_slowly(gp_thread *thread, uintptr_t address, gp_registers caller) {
    enum { LOOKS = 1000 };
    gp_quarantine_slot *slot = gp_dead_block(0, address);
    for (unsigned looks = 0; !slot && looks < LOOKS; looks++) {
        gp_lock_rest(looks);
        slot = gp_dead_block(0, address);
    }
    return slot ? die_again(thread, slot, caller) : GP_QUARANTINED;
}

static gp_quarantine_result quarantine(gp_thread *thread, uintptr_t address, gp_live_entry *place, uintptr_t pc,
                                       uintptr_t sp, uintptr_t fp, void (*give_back)(void *block)) {
    gp_live_entry entry = *place;
    if (GP_UNLIKELY(!(entry & GP_ENTRY_PRESENT))) {
        gp_quarantine_slot *slot = gp_dead_block(entry, address);
        return slot ? die_again(thread, slot, (gp_registers){pc, sp, fp}) : GP_NOT_OURS;
    }
    bool guarded = gp_guard_holds(address);
    if (GP_UNLIKELY((gp_live_flags(entry) & (GP_BLOCK_RECORDER | GP_BLOCK_LOADER)) && !guarded)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return GP_NOT_OURS;
    }
    gp_quarantine_cache *cache = gp_quarantine_cache_of(thread);
    if (GP_UNLIKELY(!cache)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return guarded ? GP_QUARANTINED : GP_NOT_OURS;
    }
    uint32_t stack = gp_stack_of_thread(thread, &cache->stacks, pc, sp, fp);
    if (GP_UNLIKELY(guarded)) {
        if (!(__atomic_exchange_n(place, 0, __ATOMIC_ACQ_REL) & GP_ENTRY_PRESENT))
            return quarantine_page_slowly(thread, address, (gp_registers){pc, sp, fp});
        quarantine_page(thread, address, entry, stack);
        return GP_QUARANTINED;
    }
    uint64_t size = gp_live_size(entry, address);
    gp_quarantine_slot *slot = gp_slot_for(thread, cache, size, give_back);
    if (GP_UNLIKELY(!slot)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return GP_NOT_OURS;
    }
    uintptr_t word = size >= 8 ? *(uintptr_t *)address : 0;
    slot->address = address;
    slot->size = size;
    slot->metadata = word;
    slot->type = size >= 16 ? gp_type_id_cached(thread, gp_thread_types(thread), word, size) : 0;
    slot->allocated = gp_live_stack(entry);
    slot->deallocated = stack;
    slot->thread = thread->id;
    slot->time_ns = gp_quarantine_time(cache);
    slot->flags = 0;
    slot->reports = 0;
    gp_unowned_kept_freed(slot);
    if (GP_UNLIKELY(!gp_slot_close(slot, place, entry)))
        return quarantine_slowly(thread, cache, address, place, (gp_registers){pc, sp, fp});
    gp_object_died(thread, address, slot->type, stack);
    return GP_QUARANTINED;
}

gp_quarantine_result gp_zombie_quarantine(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                                          void (*give_back)(void *block)) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_thread *thread = gp_thread_current();
    if (GP_UNLIKELY(!thread || thread->busy || !place || !*place)) {
        bool guarded = gp_guard_holds(address);
        gp_quarantine_result result = guarded ? GP_QUARANTINED : GP_NOT_OURS;
        if (thread && !thread->busy && (guarded || gp_is_poison_address(address))) {
            thread->busy = true;
            gp_quarantine_slot *slot = guarded ? gp_dead_block(0, address) : NULL;
            if (slot)
                result = die_again(thread, slot, (gp_registers){pc, sp, fp});
            else if (!guarded)
                gp_report_followed(thread, address, (gp_registers){pc, sp, fp});
            thread->busy = false;
        } else if (place) {
            __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        }
        return result;
    }
    thread->busy = true;
    gp_quarantine_result result = quarantine(thread, address, place, pc, sp, fp, give_back);
    thread->busy = false;
    return result;
}

bool gp_zombie_make_room(size_t size, void (*give_back)(void *block)) {
    gp_thread *thread = gp_recording_is_on() && size <= gp_zombie_asked.quarantine_bytes ? gp_thread_current() : NULL;
    if (!thread || thread->busy)
        return false;
    thread->busy = true;
    gp_quarantine_cache *cache = gp_quarantine_cache_of(thread);
    bool done = cache && gp_quarantine_give_way(thread, cache, give_back);
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (done && !atomic_flag_test_and_set(&reported))
        gp_write_note(thread, "The program ran out of memory: blocks left the quarantine early to make room.");
    thread->busy = false;
    return done;
}
