#include "unowned_kept.h"

#include <stdatomic.h>

#include "arch.h"
#include "guard_pages.h"
#include "hooks.h"
#include "live_entry.h"
#include "live_table.h"
#include "recording_state.h"
#include "reference_counts.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "zombies.h"

// A slot is found by its object's address, in one of so many places.
enum { PROBES = 8 };

_Atomic uint32_t gp_unowned_kept_count;
static _Atomic uint64_t in_all;

uint64_t gp_unowned_kept_in_all(void) {
    return in_all;
}

static uint32_t place_of(uintptr_t object, unsigned probe) {
    uint32_t hash = (uint32_t)((object >> 4) * 0x9e3779b1u >> 8);
    return gp_quarantine_first_unowned_kept() + (hash + probe) % GP_UNOWNED_KEPT_MOST;
}

gp_quarantine_slot *gp_unowned_slot(uintptr_t object) {
    if (atomic_load_explicit(&gp_unowned_kept_count, memory_order_relaxed) == 0)
        return NULL;
    for (unsigned probe = 0; probe < PROBES; probe++) {
        gp_quarantine_slot *slot = gp_quarantine_slot_at(place_of(object, probe));
        if (slot && __atomic_load_n(&slot->address, __ATOMIC_ACQUIRE) == object)
            return slot;
    }
    return NULL;
}

// Of a slot that has no address `state` says whose it is: it is published by its address, and unpublished first.
enum { FREE_PLACE = 0, TAKEN_PLACE = 1 };

// False: another thread was first.
static bool unpublish(gp_quarantine_slot *slot, uintptr_t object) {
    bool own = __atomic_compare_exchange_n(&slot->address, &object, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (own)
        atomic_fetch_sub_explicit(&gp_unowned_kept_count, 1, memory_order_relaxed);
    return own;
}

static void publish(gp_quarantine_slot *slot, uintptr_t object) {
    atomic_fetch_add_explicit(&gp_unowned_kept_count, 1, memory_order_relaxed);
    __atomic_thread_fence(__ATOMIC_RELEASE);  // the poison that follows leads to a filled slot too
    __atomic_store_n(&slot->address, object, __ATOMIC_RELAXED);
}

void gp_unowned_kept_freed_slowly(gp_quarantine_slot *dead) {
    gp_quarantine_slot *slot = gp_unowned_slot(dead->address);
    if (!slot)
        return;
    gp_quarantine_slot kept = *slot;
    if (!unpublish(slot, dead->address))
        return;
    dead->deallocated = kept.deallocated;
    dead->thread = kept.thread;
    dead->time_ns = kept.time_ns;
    __atomic_store_n(&slot->state, FREE_PLACE, __ATOMIC_RELEASE);
}

// A slot without an address, to be filled. The object's own, if it has one still: a free that was not seen left it, and
// it must not be found before this.
static gp_quarantine_slot *take_slot(uintptr_t object) {
    gp_quarantine_slot *own = gp_unowned_slot(object);
    if (own && unpublish(own, object))
        return own;
    for (unsigned probe = 0; probe < PROBES; probe++) {
        gp_quarantine_slot *slot = gp_quarantine_slot_at(place_of(object, probe));
        uint64_t nobody = FREE_PLACE;
        if (slot &&
            __atomic_compare_exchange_n(&slot->state, &nobody, TAKEN_PLACE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return slot;
    }
    return NULL;
}

// Whether the recorder knows a block where the word points to, a living one or one that was freed: a number is hardly ever
// such an address.
static bool is_block(uintptr_t address) {
    const gp_live_entry *entry = gp_live_find(address);
    return gp_guard_holds(address) || (entry && *entry);
}

static bool names_block(uintptr_t word) {
    enum { STRING_BIAS = 32 };
    const uintptr_t address = word & GP_ADDRESS_BITS;
    return is_block(address) || (word >> 63 && is_block(address + STRING_BIAS));
}

// References alone: whoever reads one follows it. A number would only be another one, and the program's work would change.
static void poison_references(uintptr_t object, const gp_quarantine_slot *slot) {
    const size_t size = slot->size < GP_POISONED_BYTES ? slot->size : GP_POISONED_BYTES;
    uintptr_t *const words = (uintptr_t *)object;
    for (size_t i = 2; i < size / sizeof *words; i++)
        if (names_block(words[i]))
            words[i] = gp_poison_word(gp_slot_number(slot), i);
}

static void keep(gp_thread *thread, uintptr_t object, gp_live_entry entry, gp_registers caller) {
    uint64_t size = gp_live_size(entry, object);
    uint32_t type = size >= 16 ? gp_type_id(thread, *(uintptr_t *)object, size) : 0;
    gp_quarantine_slot *slot = type ? take_slot(object) : NULL;
    if (!slot)
        return;
    slot->size = size;
    slot->metadata = *(uintptr_t *)object;
    slot->type = type;
    slot->allocated = gp_live_stack(entry);
    slot->deallocated = gp_stack_id(thread, caller);
    slot->thread = thread->id;
    slot->time_ns = gp_now_ns();
    slot->flags = GP_ZOMBIE_PINNED;
    slot->reports = 0;
    publish(slot, object);
    if (!gp_zombie_asked.keep_going)
        poison_references(object, slot);
}

// An object's deinit has run, and unowned references or a side table may keep its memory.
static void deinited(uintptr_t object, uint32_t times, uint32_t hook, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    (void)times, (void)hook;
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    gp_live_entry *place = gp_live_find(object);
    if (!thread || thread->busy || !place || !(*place & GP_ENTRY_PRESENT))
        return;
    thread->busy = true;
    gp_reference_counts counts = gp_reference_counts_of(object);
    if (!counts.immortal && counts.unowned > 0) {
        atomic_fetch_add_explicit(&in_all, 1, memory_order_relaxed);
        keep(thread, object, *place, (gp_registers){pc, sp, fp, 0});
    }
    gp_thread_leave(thread);
}

void gp_unowned_kept_prepare(void) {
    (void)gp_hooks_place(1u << GP_HOOK_DEALLOCATE, deinited);
}
