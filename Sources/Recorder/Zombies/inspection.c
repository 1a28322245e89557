// Whether a quarantined block is as it was filled, and still its slot's: looked at when it leaves the quarantine and at the
// end.
#include <stdatomic.h>

#include "arch.h"
#include "quarantine.h"
#include "system.h"
#include "zombie_record.h"

void gp_poison_rest(uintptr_t *block, size_t words, uint32_t slot) {
    uintptr_t value = gp_poison_word(slot, words);
    for (size_t i = GP_POISON_DISTINCT; i < words; i++)
        block[i] = value;
}

bool gp_poison_rest_stands(const uintptr_t *block, size_t words, uint32_t slot) {
    uintptr_t value = gp_poison_word(slot, words), changed = 0;
    for (size_t i = GP_POISON_DISTINCT; i < words; i++)
        changed |= block[i] ^ value;
    return changed == 0;
}

// If more uses continued than are reported, a reused slot is never reported.
enum { KEEPING_SHARE = 2 };

// The slot that has the block of this one, NULL: none any more.
static gp_quarantine_slot *owner_of(const gp_quarantine_slot *slot) {
    gp_live_entry *place = gp_live_find(slot->address);
    return place ? gp_quarantine_of_entry(GP_LOAD_IN_ORDER(*place), slot->address) : NULL;
}

// A block with a page of its own has no entry that names a slot.
static bool is_disowned(const gp_quarantine_slot *slot) {
    return !(slot->flags & GP_ZOMBIE_GUARDED) && owner_of(slot) != slot;
}

// `second` holds what `first` holds, or held (NULL).
static void report_second_free(struct gp_thread *thread, gp_quarantine_slot *first, gp_quarantine_slot *second) {
    gp_quarantine_slot unknown = *second;
    unknown.deallocated = 0;
    unknown.flags = GP_ZOMBIE_NO_DEATH;
    if (!(__atomic_fetch_or(&second->flags, GP_SLOT_REPORTED, __ATOMIC_RELAXED) & GP_SLOT_REPORTED))
        gp_zombie_report(thread, first ? first : &unknown,
                         &(gp_zombie_use){
                             .access = GP_ACCESS_FREE,
                             .flags = GP_ZOMBIE_CONTINUED,
                             .stack = second->deallocated,
                             .thread = second->thread,
                             .time_ns = second->time_ns,
                         });
}

// Both slots filled the block, word by word: what is read there leads to either. So the second one waits for a round of the
// quarantine, in which the block goes back as a rule; not for ever, as the first may be a resting thread's last. To fill
// the block again is safe only where it is kept for good: the other thread may be giving it back.
bool gp_slot_report_double_free(struct gp_thread *thread, gp_quarantine_cache *cache, gp_quarantine_slot *slot) {
    gp_quarantine_slot *owner = owner_of(slot);
    bool has_waited = slot->flags & GP_SLOT_REPORTED;
    report_second_free(thread, owner, slot);
    if (owner && owner->flags & GP_SLOT_KEEPS)
        gp_poison((uintptr_t *)owner->address, gp_slot_words(owner), gp_slot_number(owner));
    else if (owner && !has_waited)
        return false;
    else if (owner)
        __atomic_fetch_or(&owner->flags, GP_SLOT_SHARED, __ATOMIC_RELAXED);
    cache->quarantined--;
    gp_slot_leaves(slot);
    return true;
}

// The index of the first word that was written, −1: none.
static ptrdiff_t broken_word(const uintptr_t *block, size_t words, uint32_t slot) {
    for (size_t i = 0; i < words; i++) {
        uintptr_t filled = i == 0   ? gp_poison_metadata(slot)
                           : i == 1 ? gp_poison_counts(slot)
                                    : gp_poison_word(slot, i);
        if (block[i] != filled)
            return (ptrdiff_t)i;
    }
    return -1;
}

// Another slot that holds this one's block and filled this word of it, NULL: the program wrote it.
static gp_quarantine_slot *filler_of(const gp_quarantine_slot *slot, size_t index) {
    uintptr_t word = ((const uintptr_t *)slot->address)[index], filling = index == 1 ? word << 3 : word;
    gp_quarantine_slot *other =
        gp_is_poison_address(filling) ? gp_quarantine_slot_at(gp_decode_fault(filling).slot) : NULL;
    return other && other != slot && gp_slot_is_held(other) && other->address == slot->address ? other : NULL;
}

void gp_slot_report_write(struct gp_thread *thread, gp_quarantine_slot *slot) {
    ptrdiff_t word = broken_word((const uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
    gp_quarantine_slot *other = word >= 0 ? filler_of(slot, (size_t)word) : NULL;
    if (other)
        report_second_free(thread, slot, other);
    else if (word >= 0 && !(slot->flags & (GP_ZOMBIE_CONTINUED | GP_SLOT_SHARED)))
        gp_zombie_report(thread, slot, &(gp_zombie_use){.access = GP_ACCESS_WRITTEN, .offset = word * 8});
}

bool gp_slot_keep_block(gp_quarantine_slot *slot) {
    static _Atomic uint32_t keeping;
    uint32_t share = gp_quarantine_first_unowned_kept() / KEEPING_SHARE;
    uint32_t limit = share < GP_REPORTS_MOST ? share : GP_REPORTS_MOST;
    if (slot->flags & GP_SLOT_KEEPS)
        return true;
    if (atomic_fetch_add_explicit(&keeping, 1, memory_order_relaxed) < limit) {
        __atomic_fetch_or(&slot->flags, GP_SLOT_KEEPS, __ATOMIC_RELAXED);
        return true;
    }
    uintptr_t table = gp_slot_start(gp_slot_number(slot)) + GP_SLOT_COUNTS;
    gp_system(mprotect, gp_page_start(table), GP_PAGE, PROT_NONE);
    return false;
}

void gp_quarantine_inspect(struct gp_thread *thread) {
    for (gp_quarantine_slot *slot = gp_slots; slot < gp_slots + gp_quarantine_first_unowned_kept(); slot++) {
        const uint64_t state = gp_slot_state(slot);
        if (!gp_slot_is_held(slot))
            continue;
        const bool disowned = is_disowned(slot), stands = !disowned && gp_slot_is_intact(slot);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        // What the block showed means nothing once it is leaving, in another thread or in what a signal interrupted here.
        if (stands || __atomic_load_n(&slot->state, __ATOMIC_RELAXED) != state)
            continue;
        if (disowned) {
            report_second_free(thread, owner_of(slot), slot);
            continue;
        }
        gp_slot_report_write(thread, slot);
        // A later look reports a later write.
        gp_poison((uintptr_t *)slot->address, gp_slot_words(slot), gp_slot_number(slot));
    }
}
