// Whether a dead block is as it was filled, and still its grave's: looked at when it leaves the quarantine and at the end.
#include <stdatomic.h>

#include "burial.h"
#include "layout.h"
#include "quarantine.h"
#include "../recorder/system.h"
#include "zombie_record.h"

// When more uses were continued than are told, nobody is accused falsely by a grave that is used again.
enum { KEEPING_SHARE = 2 };

// The grave that has the block of this one, NULL: none any more.
static gp_grave *owner_of(const gp_grave *grave) {
    gp_live_entry *place = gp_live_find(grave->address);
    return place ? gp_quarantine_of_entry(*place, grave->address) : NULL;
}

// A block with a page of its own has no entry that names a grave.
static bool is_disowned(const gp_grave *grave) {
    return !(grave->flags & GP_ZOMBIE_GUARDED) && owner_of(grave) != grave;
}

// `second` holds what `first` holds, or held (NULL).
static void report_second_free(struct gp_thread *thread, gp_grave *first, gp_grave *second) {
    gp_grave unknown = *second;
    unknown.deallocated = 0;
    unknown.flags = GP_ZOMBIE_NO_DEATH;
    if (!(__atomic_fetch_or(&second->flags, GP_GRAVE_TOLD, __ATOMIC_RELAXED) & GP_GRAVE_TOLD))
        gp_zombie_report(thread, first ? first : &unknown,
                         &(gp_zombie_use){
                             .access = GP_ACCESS_FREE,
                             .flags = GP_ZOMBIE_CONTINUED,
                             .stack = second->deallocated,
                             .thread = second->thread,
                             .time_ns = second->time_ns,
                         });
}

// Both graves filled the block, word by word: what is read there leads to either. So the second one waits for a round of the
// quarantine, in which the block goes back as a rule; not for ever, as the first may be a resting thread's last. To fill
// the block again is safe only where it is kept for good: the other thread may be giving it back.
bool gp_grave_disowned(struct gp_thread *thread, gp_deaths *deaths, gp_grave *grave) {
    gp_grave *owner = owner_of(grave);
    bool has_waited = grave->flags & GP_GRAVE_TOLD;
    report_second_free(thread, owner, grave);
    if (owner && owner->flags & GP_GRAVE_KEEPS)
        gp_poison((uintptr_t *)owner->address, gp_grave_words(owner), gp_grave_number(owner));
    else if (owner && !has_waited)
        return false;
    else if (owner)
        __atomic_fetch_or(&owner->flags, GP_GRAVE_SHARED, __ATOMIC_RELAXED);
    deaths->buried--;
    __atomic_store_n(&grave->state, grave->state + 1, __ATOMIC_RELEASE);
    return true;
}

// Another grave that holds this one's block and filled this word of it, NULL: the program wrote it.
static gp_grave *filler_of(const gp_grave *grave, size_t index) {
    uintptr_t word = ((const uintptr_t *)grave->address)[index], filling = index == 1 ? word << 3 : word;
    gp_grave *other = gp_in_graves(filling) ? gp_quarantine_grave(gp_touch_of(filling).grave) : NULL;
    return other && other != grave && gp_grave_is_held(other) && other->address == grave->address ? other : NULL;
}

void gp_grave_broken(struct gp_thread *thread, gp_grave *grave) {
    ptrdiff_t word = gp_poison_broken((const uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
    gp_grave *other = word >= 0 ? filler_of(grave, (size_t)word) : NULL;
    if (other)
        report_second_free(thread, grave, other);
    else if (word >= 0 && !(grave->flags & (GP_ZOMBIE_CONTINUED | GP_GRAVE_SHARED)))
        gp_zombie_report(thread, grave, &(gp_zombie_use){.access = GP_ACCESS_WRITTEN, .offset = word * 8});
}

bool gp_grave_keeps(gp_grave *grave) {
    static _Atomic uint32_t keeping;
    uint32_t share = gp_quarantine_first_pinned() / KEEPING_SHARE;
    uint32_t most = share < GP_REPORTS_MOST ? share : GP_REPORTS_MOST;
    if (grave->flags & GP_GRAVE_KEEPS)
        return true;
    if (atomic_fetch_add_explicit(&keeping, 1, memory_order_relaxed) < most) {
        grave->flags |= GP_GRAVE_KEEPS;
        return true;
    }
    uintptr_t table = gp_grave_start(gp_grave_number(grave)) + GP_GRAVE_COUNTS;
    gp_system(mprotect, table & ~(uintptr_t)4095, 4096, PROT_NONE);
    return false;
}

void gp_quarantine_inspect(struct gp_thread *thread) {
    for (gp_grave *grave = gp_graves; grave < gp_graves + gp_quarantine_first_pinned(); grave++) {
        const uint64_t state = __atomic_load_n(&grave->state, __ATOMIC_ACQUIRE);
        if (!gp_grave_is_held(grave))
            continue;
        const bool disowned = is_disowned(grave), stands = !disowned && gp_grave_stands(grave);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        // What the block showed means nothing once it is leaving, in another thread or in what a signal interrupted here.
        if (stands || __atomic_load_n(&grave->state, __ATOMIC_RELAXED) != state)
            continue;
        if (disowned) {
            report_second_free(thread, owner_of(grave), grave);
            continue;
        }
        gp_grave_broken(thread, grave);
        // Whoever looks again tells of a later write.
        gp_poison((uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
    }
}
