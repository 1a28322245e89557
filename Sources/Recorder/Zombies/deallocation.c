// Blocks are freed, or resized: where a living one goes into the quarantine, and what becomes of one that is there already.
#include "arch.h"
#include "guard_pages.h"
#include "lock.h"
#include "alloc_hooks.h"
#include "quarantine.h"
#include "swift_types.h"
#include "trace_writer.h"
#include "unowned_kept.h"
#include "zombie_record.h"
#include "zombies.h"

enum { SLOTS_AHEAD = 8, BLOCKS_AHEAD = 4, FREES_PER_CLOCK_READ = 8 };

// ------------------------------------------------------------------------------------------------- freed already

// The slot of the quarantined block at `address`, NULL: none is there. `entry`: of the live table.
static gp_quarantine_slot *quarantined_at(gp_live_entry entry, uintptr_t address) {
    if (!gp_guard_holds(address))
        return gp_quarantine_of_entry(entry, address);
    gp_quarantine_slot *slot = gp_guard_slot(address);
    return slot && gp_slot_state(slot) == GP_GUARD_DEAD ? slot : NULL;
}

// Reports that an address which was followed out of a quarantined block (in the slots) is given to the allocator.
static void report_followed(gp_thread *thread, uintptr_t address, gp_registers caller) {
    gp_decoded_fault touch = gp_decode_fault(address);
    gp_quarantine_slot *slot = gp_quarantine_slot_at(touch.slot);
    if (slot && slot->address)
        gp_zombie_report(thread, slot,
                         &(gp_zombie_use){
                             .access = GP_ACCESS_FOLLOWED,
                             .offset = touch.part == GP_FAULT_METADATA ? 0 : touch.offset,
                             .stack = gp_stack_id(thread, caller),
                         });
}

static gp_quarantine_result free_again(gp_thread *thread, gp_quarantine_slot *slot, gp_registers caller) {
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

int gp_zombie_resized(void *block, gp_registers caller) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? GP_LOAD_IN_ORDER(*place) : 0;
    if (entry & GP_ENTRY_PRESENT)
        return GP_RESIZE_LIVES;
    gp_thread *thread = gp_thread_current();
    gp_quarantine_slot *slot = quarantined_at(entry, address);
    if (thread && !thread->busy) {
        thread->busy = true;
        if (slot)
            gp_zombie_report(thread, slot,
                             &(gp_zombie_use){.access = GP_ACCESS_RESIZE, .stack = gp_stack_id(thread, caller)});
        else if (gp_is_poison_address(address))
            report_followed(thread, address, caller);
        gp_thread_leave(thread);
    }
    return slot ? GP_RESIZE_DEAD : GP_RESIZE_UNKNOWN;
}

// -------------------------------------------------------------------------------------------- into the block's guarded page

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

// Another thread freed the block at the same moment and was first; it may not have come to the end of it.
static gp_quarantine_result quarantine_page_slowly(gp_thread *thread, uintptr_t address, gp_registers caller) {
    enum { LOOKS = 1000 };
    gp_quarantine_slot *slot = quarantined_at(0, address);
    for (unsigned looks = 0; !slot && looks < LOOKS; looks++) {
        gp_lock_rest(looks);
        slot = quarantined_at(0, address);
    }
    return slot ? free_again(thread, slot, caller) : GP_QUARANTINED;
}

// ------------------------------------------------------------------------------------------------- into the thread's batch

// Slots are used again in a known order: what is needed for the next ones is fetched meanwhile.
static inline void prefetch(const gp_quarantine_slot *slot) {
    __builtin_prefetch(slot + SLOTS_AHEAD, 1);
    uintptr_t block = slot[BLOCKS_AHEAD].address;
    gp_live_entry *place = gp_live_find(block);
    if (place) {
        __builtin_prefetch((const void *)block, 1);
        __builtin_prefetch(place, 1);
    }
}

// A slot for a block of this size; the oldest leave for it. NULL: as gp_slot_of_next_batch has it. The caller fills all but
// `state` and then closes it; the same thread must ask for no other slot in between.
static inline gp_quarantine_slot *take_slot(gp_thread *thread, gp_quarantine_cache *cache, uint64_t size,
                                            void (*give_back)(void *block)) {
    cache->room -= (int64_t)size;
    gp_quarantine_slot *slot;
    do {
        slot = cache->next;
        if (__builtin_expect(cache->room < 0 || slot == cache->end, 0)) {
            slot = gp_slot_of_next_batch(thread, cache, size, give_back);
            if (!slot)
                return NULL;
        }
        cache->next = slot + 1;
        prefetch(slot);
    } while (__builtin_expect(gp_slot_is_held(slot), 1) && !gp_slot_empty(thread, cache, slot, give_back));
    cache->quarantined++;
    return slot;
}

// Poisons the block of a slot and keeps it. `place`: its entry of the live table, which was `living`. False: another
// thread freed the block at the same moment and has it; this slot stays empty. Where neither sees the other both keep
// it, and the one that the entry does not name is reported when it is emptied.
static inline bool close_slot(gp_quarantine_slot *slot, gp_live_entry *place, gp_live_entry living) {
    if (__builtin_expect(__atomic_load_n(place, __ATOMIC_RELAXED) != living, 0))
        return false;
    // Whoever meets the entry, or follows a poisoned word at once, finds the slot filled: no other block's death is told.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(place, gp_slot_entry(slot), __ATOMIC_RELAXED);
    gp_poison((uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
    __atomic_store_n(&slot->state, slot->state + 1, __ATOMIC_RELEASE);
    return true;
}

GP_SLOW_PATH static void read_clock(gp_quarantine_cache *cache) {
    uint64_t now = gp_coarse_ns();
    if (now == cache->last_ns)
        cache->unlooked = FREES_PER_CLOCK_READ;
    cache->last_ns = now;
}

// The time of a deallocation. While a thread is busy, and the clock stands still, it is read at every eighth.
static inline uint64_t time_of(gp_quarantine_cache *cache) {
    if (__builtin_expect(cache->unlooked > 0, 1))
        cache->unlooked--;
    else
        read_clock(cache);
    return cache->last_ns;
}

// Another thread freed the block at the same moment and was first.
GP_SLOW_PATH static gp_quarantine_result quarantine_slowly(gp_thread *thread, gp_quarantine_cache *cache,
                                                           uintptr_t address, const gp_live_entry *place,
                                                           gp_registers caller) {
    cache->quarantined--;
    gp_quarantine_slot *slot = quarantined_at(__atomic_load_n(place, __ATOMIC_ACQUIRE), address);
    return slot ? free_again(thread, slot, caller) : GP_NOT_OURS;
}

static gp_quarantine_result quarantine(gp_thread *thread, uintptr_t address, gp_live_entry *place, uintptr_t pc,
                                       uintptr_t sp, uintptr_t fp, void (*give_back)(void *block)) {
    gp_live_entry entry = GP_LOAD_IN_ORDER(*place);
    if (GP_UNLIKELY(!(entry & GP_ENTRY_PRESENT))) {
        gp_quarantine_slot *slot = quarantined_at(entry, address);
        return slot ? free_again(thread, slot, (gp_registers){pc, sp, fp, 0}) : GP_NOT_OURS;
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
    uint32_t stack = gp_stack_id_inline(thread, &cache->stacks, pc, sp, fp);
    if (GP_UNLIKELY(guarded)) {
        if (!(__atomic_exchange_n(place, 0, __ATOMIC_ACQ_REL) & GP_ENTRY_PRESENT))
            return quarantine_page_slowly(thread, address, (gp_registers){pc, sp, fp, 0});
        quarantine_page(thread, address, entry, stack);
        return GP_QUARANTINED;
    }
    uint64_t size = gp_live_size(entry, address);
    gp_quarantine_slot *slot = take_slot(thread, cache, size, give_back);
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
    slot->time_ns = time_of(cache);
    slot->flags = 0;
    slot->reports = 0;
    gp_unowned_kept_freed(slot);
    if (GP_UNLIKELY(!close_slot(slot, place, entry)))
        return quarantine_slowly(thread, cache, address, place, (gp_registers){pc, sp, fp, 0});
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
            gp_quarantine_slot *slot = guarded ? quarantined_at(0, address) : NULL;
            if (slot)
                result = free_again(thread, slot, (gp_registers){pc, sp, fp, 0});
            else if (!guarded)
                report_followed(thread, address, (gp_registers){pc, sp, fp, 0});
            gp_thread_leave(thread);
        } else if (place) {
            __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        }
        return result;
    }
    thread->busy = true;
    gp_quarantine_result result = quarantine(thread, address, place, pc, sp, fp, give_back);
    gp_thread_leave(thread);
    return result;
}
