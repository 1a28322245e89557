#include "zombies.h"

#include <stdatomic.h>
#include <sys/resource.h>

#include "believed_mask.h"
#include "burial.h"
#include "fault.h"
#include "guard_pages.h"
#include "history.h"
#include "layout.h"
#include "lock.h"
#include "../recorder/live_entry.h"
#include "../recorder/loader_range.h"
#include "../recorder/system.h"
#include "page_supply.h"
#include "pinned.h"
#include "recording.h"
#include "signal_chain.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "type_being_made.h"
#include "zombie_record.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

bool gp_zombies_on, gp_zombies_sampled_only;
__thread __attribute__((tls_model("initial-exec"))) uint32_t gp_zombie_since_sample;
uint32_t gp_zombie_sample_every;
bool gp_zombies_guard;
enum { FEWEST_GRAVES = 1024 };

// Where the address space is limited most of it stays the program's: it could start no thread any more.
enum { SHARE = 4 };

// Half as many graves, and again, until the address space allows them.
static bool open_quarantine(struct gp_thread *thread, uint64_t limit) {
    uint32_t count = gp_zombie_asked.quarantine_count;
    while (count >= FEWEST_GRAVES && gp_quarantine_space(count) > limit / SHARE)
        count /= 2;
    if (gp_quarantine_space(count) > limit / SHARE)
        return false;
    for (; !gp_quarantine_open(gp_zombie_asked.quarantine_bytes, count); count /= 2)
        if (count < FEWEST_GRAVES)
            return false;
    if (count < gp_zombie_asked.quarantine_count)
        gp_write_note(thread, "The address space is limited (ulimit -v): fewer dead blocks are kept than asked for.");
    return true;
}

// How many bytes of addresses the program may have.
static uint64_t address_space(void) {
    struct rlimit limit;
    return gp_system(prlimit64, 0, RLIMIT_AS, NULL, &limit) < 0 ? RLIM_INFINITY : limit.rlim_cur;
}

void gp_zombies_start(gp_thread *thread, const char *options) {
    gp_zombie_options_read(options);
    const uint64_t limit = address_space();
    if (!open_quarantine(thread, limit)) {
        gp_write_note(thread, "The address space is limited (ulimit -v): dead objects cannot be watched, so that no "
                              "zombie can be found.");
        return;
    }
    gp_zombies_guard = gp_zombie_asked.guard_all || gp_zombie_asked.guarded_types.names[0] || gp_zombie_asked.sample;
    if (gp_zombies_guard && (GP_GUARD_SPACE > limit / SHARE || !gp_guard_open())) {
        gp_zombies_guard = false;
        gp_write_note(thread, "The address space is limited (ulimit -v): no object can have pages of its own.");
    }
    gp_zombies_sampled_only = gp_zombie_asked.sample && gp_zombies_guard && !gp_zombie_asked.guard_all &&
                              !gp_zombie_asked.guarded_types.names[0];
    gp_zombie_sample_every = gp_zombie_asked.sample;
    gp_zombies_on = true;
}

void gp_zombies_prepare(void) {
    if (!gp_zombies_on)
        return;
    gp_signal_chain_begin(SIGSEGV, gp_fault_seen, gp_fault_ends);
    gp_signal_chain_begin(SIGBUS, gp_fault_seen, gp_fault_ends);
    gp_believed_mask_begin(gp_believed_mask);
    if (!gp_zombies_sampled_only)
        gp_pinned_prepare();
}

void gp_zombies_finish(gp_thread *thread) {
    if (!gp_zombies_on)
        return;
    gp_quarantine_inspect(thread);
    gp_zombie_write_summary(thread);
}

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
    void *block = wanted ? gp_guard_make(size, alignment) : NULL;
    if (sampled)
        gp_zombie_since_sample = 0;
    thread->busy = false;
    return block;
}

void *gp_zombie_born(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (UNLIKELY(!block))
        return block;
    gp_thread *thread = gp_thread_current();
    if (UNLIKELY(!thread || thread->busy)) {
        gp_live_put((uintptr_t)block, size, 0, GP_BLOCK_RECORDER);
        return block;
    }
    thread->busy = true;
    uint32_t stack = gp_stack_of_turn(thread, &thread->stacks, pc, sp, fp);
    gp_live_store((uintptr_t)block, gp_live_pack(size, stack, gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0));
    thread->busy = false;
    return block;
}

static gp_grave *dead_block(gp_live_entry entry, uintptr_t address) {
    if (gp_guard_holds(address)) {
        gp_grave *grave = gp_guard_grave(address);
        return grave && grave->state == GP_GUARD_DEAD ? grave : NULL;
    }
    return gp_quarantine_of_entry(entry, address);
}

// An address out of a dead block is given to the allocator.
static void report_followed(gp_thread *thread, uintptr_t address, gp_registers caller) {
    gp_touch touch = gp_touch_of(address);
    gp_grave *grave = gp_quarantine_grave(touch.grave);
    if (grave && grave->address)
        gp_zombie_report(thread, grave,
                         &(gp_zombie_use){
                             .access = GP_ACCESS_FOLLOWED,
                             .offset = touch.part == GP_TOUCHED_WORD       ? touch.offset
                                       : touch.part == GP_TOUCHED_METADATA ? 0
                                                                           : 8,
                             .stack = gp_stack_id(thread, caller),
                         });
}

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
    gp_grave *grave = dead_block(__atomic_load_n(place, __ATOMIC_ACQUIRE), address);
    return grave ? die_again(thread, grave, caller) : GP_NOT_OURS;
}

// The same of a block with a page of its own: the other thread may not have come to the end of it.
static gp_burial bury_page_late(gp_thread *thread, uintptr_t address, gp_registers caller) {
    enum { LOOKS = 1000 };
    gp_grave *grave = dead_block(0, address);
    for (unsigned looks = 0; !grave && looks < LOOKS; looks++) {
        gp_lock_rest(looks);
        grave = dead_block(0, address);
    }
    return grave ? die_again(thread, grave, caller) : GP_BURIED;
}

static gp_burial bury(gp_thread *thread, uintptr_t address, gp_live_entry *place, uintptr_t pc, uintptr_t sp,
                      uintptr_t fp, void (*give_back)(void *block)) {
    gp_live_entry entry = *place;
    if (UNLIKELY(!(entry & GP_ENTRY_PRESENT))) {
        gp_grave *grave = dead_block(entry, address);
        return grave ? die_again(thread, grave, (gp_registers){pc, sp, fp}) : GP_NOT_OURS;
    }
    bool guarded = gp_guard_holds(address);
    if (UNLIKELY((gp_live_flags(entry) & (GP_BLOCK_RECORDER | GP_BLOCK_LOADER)) && !guarded)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return GP_NOT_OURS;
    }
    gp_deaths *deaths = gp_deaths_of(thread);
    if (UNLIKELY(!deaths)) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return guarded ? GP_BURIED : GP_NOT_OURS;
    }
    uint32_t stack = gp_stack_of_turn(thread, &deaths->stacks, pc, sp, fp);
    if (UNLIKELY(guarded)) {
        if (!(__atomic_exchange_n(place, 0, __ATOMIC_ACQ_REL) & GP_ENTRY_PRESENT))
            return bury_page_late(thread, address, (gp_registers){pc, sp, fp});
        bury_page(thread, address, entry, stack);
        return GP_BURIED;
    }
    uint64_t size = gp_live_size(entry, address);
    gp_grave *grave = gp_grave_for(thread, deaths, size, give_back);
    if (UNLIKELY(!grave)) {
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
    if (UNLIKELY(!gp_grave_close(grave, place, entry)))
        return bury_late(thread, deaths, address, place, (gp_registers){pc, sp, fp});
    gp_history_died(thread, address, grave->type, stack);
    return GP_BURIED;
}

gp_burial gp_zombie_bury(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp, void (*give_back)(void *block)) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_thread *thread = gp_thread_current();
    if (UNLIKELY(!thread || thread->busy || !place || !*place)) {
        bool guarded = gp_guard_holds(address);
        gp_burial burial = guarded ? GP_BURIED : GP_NOT_OURS;
        if (thread && !thread->busy && (guarded || gp_in_graves(address))) {
            thread->busy = true;
            gp_grave *grave = guarded ? dead_block(0, address) : NULL;
            if (grave)
                burial = die_again(thread, grave, (gp_registers){pc, sp, fp});
            else if (!guarded)
                report_followed(thread, address, (gp_registers){pc, sp, fp});
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

int gp_zombie_resized(void *block, gp_registers caller) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? *place : 0;
    if (entry & GP_ENTRY_PRESENT)
        return GP_RESIZE_LIVES;
    gp_thread *thread = gp_thread_current();
    gp_grave *grave = dead_block(entry, address);
    if (thread && !thread->busy) {
        thread->busy = true;
        if (grave)
            gp_zombie_report(thread, grave,
                             &(gp_zombie_use){.access = GP_ACCESS_RESIZE, .stack = gp_stack_id(thread, caller)});
        else if (gp_in_graves(address))
            report_followed(thread, address, caller);
        thread->busy = false;
    }
    return grave ? GP_RESIZE_DEAD : GP_RESIZE_UNKNOWN;
}

size_t gp_zombie_guarded_size(const void *block) {
    gp_grave *grave = gp_guard_grave((uintptr_t)block);
    return grave ? grave->size : 0;
}
