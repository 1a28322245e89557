#include "burial.h"

#include <stdatomic.h>

#include "dead_block.h"
#include "guard_pages.h"
#include "history.h"
#include "layout.h"
#include "lock.h"
#include "../recorder/live_entry.h"
#include "pinned.h"
#include "recording.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "zombie_record.h"
#include "zombies.h"

static gp_burial die_again(gp_thread *thread, gp_grave *grave, gp_registers caller) {
    gp_zombie_report(thread, grave,
                     &(gp_zombie_use){
                         .access = GP_ACCESS_FREE,
                         .flags = gp_zombie_asked.keep_going ? GP_ZOMBIE_CONTINUED : 0,
                         .stack = gp_stack_id(thread, caller),
                     });
    if (gp_zombie_asked.keep_going)
        return GP_BURIED;
    gp_zombie_write_summary(thread);
    return GP_DIED_TWICE;
}

static void bury_page(gp_thread *thread, uintptr_t address, gp_live_entry entry, uint32_t stack) {
    gp_grave dead = {
        .address = address,
        .metadata = *(uintptr_t *)address,
        .type = gp_type_id(thread, *(uintptr_t *)address, gp_live_size(entry, address)),
        .allocated = gp_live_stack(entry),
        .deallocated = stack,
        .thread = thread->id,
        .time_ns = gp_coarse_ns(),
        .flags = GP_ZOMBIE_GUARDED,
    };
    gp_pinned_freed(&dead);
    gp_history_died(thread, address, dead.type, stack);
    gp_guard_bury(thread, &dead);
}

// Another thread freed the block at the same moment and was first.
GP_SLOW_PATH static gp_burial bury_late(gp_thread *thread, gp_deaths *deaths, uintptr_t address,
                                        const gp_live_entry *place, gp_registers caller) {
    deaths->buried--;
    gp_grave *grave = gp_dead_block(__atomic_load_n(place, __ATOMIC_ACQUIRE), address);
    return grave ? die_again(thread, grave, caller) : GP_NOT_OURS;
}

// The same of a block with a page of its own: the other thread may not have come to the end of it.
static gp_burial bury_page_late(gp_thread *thread, uintptr_t address, gp_registers caller) {
    enum { LOOKS = 1000 };
    gp_grave *grave = gp_dead_block(0, address);
    for (unsigned looks = 0; !grave && looks < LOOKS; looks++) {
        gp_lock_rest(looks);
        grave = gp_dead_block(0, address);
    }
    return grave ? die_again(thread, grave, caller) : GP_BURIED;
}

static gp_burial bury(gp_thread *thread, uintptr_t address, gp_live_entry *place, uintptr_t pc, uintptr_t sp,
                      uintptr_t fp, void (*give_back)(void *block)) {
    gp_live_entry entry = *place;
    if (GP_UNLIKELY(!(entry & GP_ENTRY_PRESENT))) {
        gp_grave *grave = gp_dead_block(entry, address);
        return grave ? die_again(thread, grave, (gp_registers){pc, sp, fp}) : GP_NOT_OURS;
    }
    bool guarded = gp_guard_holds(address);
    if (GP_UNLIKELY((gp_live_flags(entry) & (GP_BLOCK_RECORDER | GP_BLOCK_LOADER)) && !guarded)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return GP_NOT_OURS;
    }
    gp_deaths *deaths = gp_deaths_of(thread);
    if (GP_UNLIKELY(!deaths)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return guarded ? GP_BURIED : GP_NOT_OURS;
    }
    uint32_t stack = gp_stack_of_turn(thread, &deaths->stacks, pc, sp, fp);
    if (GP_UNLIKELY(guarded)) {
        if (!(__atomic_exchange_n(place, 0, __ATOMIC_ACQ_REL) & GP_ENTRY_PRESENT))
            return bury_page_late(thread, address, (gp_registers){pc, sp, fp});
        bury_page(thread, address, entry, stack);
        return GP_BURIED;
    }
    uint64_t size = gp_live_size(entry, address);
    gp_grave *grave = gp_grave_for(thread, deaths, size, give_back);
    if (GP_UNLIKELY(!grave)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return GP_NOT_OURS;
    }
    uintptr_t word = size >= 8 ? *(uintptr_t *)address : 0;
    grave->address = address;
    grave->size = size;
    grave->metadata = word;
    grave->type = size >= 16 ? gp_type_id_cached(thread, &thread->types, word, size) : 0;
    grave->allocated = gp_live_stack(entry);
    grave->deallocated = stack;
    grave->thread = thread->id;
    grave->time_ns = gp_death_time(deaths);
    grave->flags = 0;
    grave->reports = 0;
    gp_pinned_freed(grave);
    if (GP_UNLIKELY(!gp_grave_close(grave, place, entry)))
        return bury_late(thread, deaths, address, place, (gp_registers){pc, sp, fp});
    gp_history_died(thread, address, grave->type, stack);
    return GP_BURIED;
}

gp_burial gp_zombie_bury(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp, void (*give_back)(void *block)) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_thread *thread = gp_thread_current();
    if (GP_UNLIKELY(!thread || thread->busy || !place || !*place)) {
        bool guarded = gp_guard_holds(address);
        gp_burial burial = guarded ? GP_BURIED : GP_NOT_OURS;
        if (thread && !thread->busy && (guarded || gp_in_graves(address))) {
            thread->busy = true;
            gp_grave *grave = guarded ? gp_dead_block(0, address) : NULL;
            if (grave)
                burial = die_again(thread, grave, (gp_registers){pc, sp, fp});
            else if (!guarded)
                gp_report_followed(thread, address, (gp_registers){pc, sp, fp});
            thread->busy = false;
        } else if (place) {
            __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        }
        return burial;
    }
    thread->busy = true;
    gp_burial burial = bury(thread, address, place, pc, sp, fp, give_back);
    thread->busy = false;
    return burial;
}

bool gp_zombie_make_room(size_t size, void (*give_back)(void *block)) {
    gp_thread *thread = gp_recording_is_on() && size <= gp_zombie_asked.quarantine_bytes ? gp_thread_current() : NULL;
    if (!thread || thread->busy)
        return false;
    thread->busy = true;
    gp_deaths *deaths = gp_deaths_of(thread);
    bool done = deaths && gp_quarantine_give_way(thread, deaths, give_back);
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (done && !atomic_flag_test_and_set(&told))
        gp_write_note(thread, "The program ran out of memory: dead blocks left the quarantine early to make room.");
    thread->busy = false;
    return done;
}
