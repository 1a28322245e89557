#include "pinned.h"

#include <stdatomic.h>

#include "../hooks/hooks.h"
#include "../recorder/live_entry.h"
#include "options.h"
#include "poison.h"
#include "quarantine.h"
#include "recording.h"
#include "references.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "zombies.h"

// A grave is found by its object's address, in one of so many places.
enum { PROBES = 8 };

_Atomic uint32_t gp_pinned_count;

void gp_pinned_prepare(void) {
    (void)gp_hooks_place(1u << GP_HOOK_DEALLOCATE);
}

static uint32_t place_of(uintptr_t object, unsigned probe) {
    uint32_t hash = (uint32_t)((object >> 4) * 0x9e3779b1u >> 8);
    return gp_quarantine_first_pinned() + (hash + probe) % GP_PINNED_MOST;
}

gp_grave *gp_pinned_grave(uintptr_t object) {
    if (atomic_load_explicit(&gp_pinned_count, memory_order_relaxed) == 0)
        return NULL;
    for (unsigned probe = 0; probe < PROBES; probe++) {
        gp_grave *grave = gp_quarantine_grave(place_of(object, probe));
        if (grave && __atomic_load_n(&grave->address, __ATOMIC_ACQUIRE) == object)
            return grave;
    }
    return NULL;
}

// Of a grave that has no address `state` says whose it is: it is published by its address, and unpublished first.
enum { FREE_PLACE = 0, TAKEN_PLACE = 1 };

// False: another thread was first.
static bool unpublish(gp_grave *grave, uintptr_t object) {
    bool own = __atomic_compare_exchange_n(&grave->address, &object, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (own)
        atomic_fetch_sub_explicit(&gp_pinned_count, 1, memory_order_relaxed);
    return own;
}

static void publish(gp_grave *grave, uintptr_t object) {
    atomic_fetch_add_explicit(&gp_pinned_count, 1, memory_order_relaxed);
    __atomic_store_n(&grave->address, object, __ATOMIC_RELEASE);
}

void gp_pinned_freed_slowly(gp_grave *dead) {
    gp_grave *grave = gp_pinned_grave(dead->address);
    if (!grave)
        return;
    gp_grave pinned = *grave;
    if (!unpublish(grave, dead->address))
        return;
    dead->deallocated = pinned.deallocated;
    dead->thread = pinned.thread;
    dead->time_ns = pinned.time_ns;
    __atomic_store_n(&grave->state, FREE_PLACE, __ATOMIC_RELEASE);
}

// A grave without an address, to be filled. The object's own, if it has one still: a free that was not seen left it, and
// it must not be found before this.
static gp_grave *take_grave(uintptr_t object) {
    gp_grave *own = gp_pinned_grave(object);
    if (own && unpublish(own, object))
        return own;
    for (unsigned probe = 0; probe < PROBES; probe++) {
        gp_grave *grave = gp_quarantine_grave(place_of(object, probe));
        uint64_t nobody = FREE_PLACE;
        if (grave &&
            __atomic_compare_exchange_n(&grave->state, &nobody, TAKEN_PLACE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return grave;
    }
    return NULL;
}

static void pin(gp_thread *thread, uintptr_t object, gp_live_entry entry, gp_registers caller) {
    uint64_t size = gp_live_size(entry, object);
    uint32_t type = size >= 16 ? gp_type_id(thread, *(uintptr_t *)object, size) : 0;
    gp_grave *grave = type ? take_grave(object) : NULL;
    if (!grave)
        return;
    grave->size = size;
    grave->metadata = *(uintptr_t *)object;
    grave->type = type;
    grave->allocated = gp_live_stack(entry);
    grave->deallocated = gp_stack_id(thread, caller);
    grave->thread = thread->id;
    grave->time_ns = gp_now_ns();
    grave->flags = GP_ZOMBIE_PINNED;
    grave->reports = 0;
    publish(grave, object);
    if (!gp_zombie_asked.keep_going)
        gp_poison_properties((uintptr_t *)object, gp_poisoned_words(size), gp_grave_number(grave));
}

void gp_zombie_deinited(uintptr_t object, gp_registers caller) {
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    gp_live_entry *place = gp_live_find(object);
    if (!thread || thread->busy || !place || !(*place & GP_ENTRY_PRESENT))
        return;
    thread->busy = true;
    gp_reference_counts counts = gp_reference_counts_of(object);
    if (!counts.immortal && counts.unowned > 0)
        pin(thread, object, *place, caller);
    thread->busy = false;
}
