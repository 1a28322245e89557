#include "fault.h"

#include "arch.h"
#include "metadata.h"
#include "guard_pages.h"
#include "hooks.h"
#include "images.h"
#include "quarantine.h"
#include "recording_state.h"
#include "reference_counts.h"
#include "stack.h"
#include "system.h"
#include "thread.h"

// Registers that hold the poisoned first word get the type's metadata: the program goes on as if the object lived.
static bool restore_metadata(ucontext_t *context, uint32_t number, uintptr_t metadata) {
    bool found = false;
    for (int i = 0; i < GP_REGISTER_COUNT; i++) {
        if (gp_context_register(context, i) == gp_poison_metadata(number)) {
            *gp_context_place(context, i) = metadata;
            found = true;
        }
    }
    return found;
}

// Puts a side table where the poisoned count says there is one: with counts so high that the object never dies again. False:
// the access would fault again, as it was not to the page of the table.
static bool make_side_table(gp_quarantine_slot *slot, const siginfo_t *info) {
    const uintptr_t table = gp_slot_start(gp_slot_number(slot)) + GP_SLOT_COUNTS, page = gp_page_start(table);
    if (info->si_code == SI_KERNEL || gp_page_start((uintptr_t)info->si_addr) != page)
        return false;
    if (__atomic_fetch_or(&slot->flags, GP_SLOT_COUNTS_MADE, __ATOMIC_RELAXED) & GP_SLOT_COUNTS_MADE)
        return gp_fault_is_tried_again();
    if (gp_system(mprotect, page, GP_PAGE, PROT_READ | PROT_WRITE) < 0)
        return false;
    gp_side_table_fill(table, slot->address,
                       (gp_reference_counts){.strong = 1 << 28, .unowned = 1 << 20, .weak = 1 << 20});
    return true;
}

static bool goes_on(gp_decoded_fault touch, gp_quarantine_slot *slot, const siginfo_t *info, ucontext_t *context) {
    if (!gp_zombie_asked.keep_going || !slot->type)
        return false;
    switch (touch.part) {
    case GP_FAULT_METADATA:
        return restore_metadata(context, touch.slot, slot->metadata);
    case GP_FAULT_COUNTS:
        return make_side_table(slot, info);
    default:
        return false;
    }
}

// Whether words behind this one of a block of so many words have the same address.
static bool is_shared(size_t index, size_t words) {
    return index == GP_SLOT_WORD_COUNT + 1 && words > index + 1;
}

static bool poisoned(gp_thread *thread, uintptr_t address, const siginfo_t *info, ucontext_t *context) {
    gp_decoded_fault touch = gp_decode_fault(address);
    gp_quarantine_slot *slot = gp_quarantine_slot_at(touch.slot);
    if (!slot || !slot->address)
        return false;
    bool continues = goes_on(touch, slot, info, context);
    gp_zombie_use use = {
        .access = touch.part == GP_FAULT_METADATA ? GP_ACCESS_METADATA
                  : touch.part == GP_FAULT_COUNTS ? GP_ACCESS_COUNT
                                                  : GP_ACCESS_FOLLOWED,
        .flags = continues ? GP_ZOMBIE_CONTINUED : 0,
        .offset = touch.offset,
        .or_behind = touch.part == GP_FAULT_WORD && is_shared((size_t)touch.offset / 8, slot->size / 8),
        .fault = address,
        .pc = gp_context_pc(context),
        .stack = gp_fault_stack(thread, context, address),
    };
    uintptr_t entry = slot->metadata + (uintptr_t)touch.offset;
    if (touch.part == GP_FAULT_METADATA) {
        // In a block that was no object, the first word is a word like any other.
        if (!slot->type)
            use = (gp_zombie_use){
                .access = GP_ACCESS_FOLLOWED, .flags = use.flags, .fault = use.fault, .pc = use.pc, .stack = use.stack};
        else if (entry % 8 == 0 && (gp_address_is_readable_image(entry, 8) || gp_metadata_is_readable(entry)))
            use.member = *(uintptr_t *)entry;
    } else if (touch.part == GP_FAULT_COUNTS && !slot->type) {
        use.access = GP_ACCESS_FOLLOWED;
    }
    gp_image_find(thread, use.member);
    gp_zombie_report(thread, slot, &use);
    if (!continues)
        gp_revival_note(slot);
    gp_first_word_reported(touch.slot);
    if (continues)
        __atomic_fetch_or(&slot->flags, GP_ZOMBIE_CONTINUED, __ATOMIC_RELAXED);
    return continues;
}

// True: the program may go on.
static bool guarded(gp_thread *thread, uintptr_t address, const ucontext_t *context) {
    gp_quarantine_slot *slot = gp_guard_slot(address);
    if (!slot || gp_slot_state(slot) != GP_GUARD_DEAD)
        return false;
    bool writes = gp_context_faulted_on_write(context);
    gp_zombie_use use = {
        .access = writes ? GP_ACCESS_WRITE : GP_ACCESS_READ,
        .offset = (int64_t)(address - slot->address),
        .thread = thread->id,
        .time_ns = gp_now_ns(),
        .fault = address,
        .pc = gp_context_pc(context),
        .stack = gp_fault_stack(thread, context, address),
    };
    if (!writes && address == slot->address && gp_first_word_reveal(slot, &use))
        return true;
    gp_zombie_report(thread, slot, &use);
    gp_revival_note(slot);
    return false;
}

// Whoever handles the crash (Swift's crash reporter) reads around in memory and meets quarantined blocks too.
static bool crashing;

void gp_fault_expect_crash(void) {
    __atomic_store_n(&crashing, true, __ATOMIC_RELAXED);
}

bool gp_fault_seen(siginfo_t *info, void *at) {
    // One that was sent has no address.
    if (info->si_code <= 0)
        return false;
    ucontext_t *context = at;
    uintptr_t instead = gp_hook_instead_of(gp_context_pc(context));
    if (instead) {
        context->GP_CONTEXT_PC = instead;
        return true;
    }
    uintptr_t address = gp_fault_poison_address(info, context);
    if (!address || !gp_recording_is_on() || __atomic_load_n(&crashing, __ATOMIC_RELAXED))
        return false;
    gp_thread *thread = gp_thread_enter();
    if (!thread)
        return false;
    bool continues = false;
    if (gp_is_poison_address(address))
        continues = poisoned(thread, address, info, context);
    else
        continues = guarded(thread, address, context);
    if (!continues) {
        __atomic_store_n(&crashing, true, __ATOMIC_RELAXED);
        gp_zombie_write_summary(thread);
    }
    gp_thread_leave(thread);
    return continues;
}

void gp_fault_crashes(gp_thread *thread, const void *context) {
    (void)context;
    if (__atomic_exchange_n(&crashing, true, __ATOMIC_RELAXED))
        return;
    gp_quarantine_inspect(thread);
    gp_zombie_write_summary(thread);
}

bool gp_fault_ends(siginfo_t *info, void *context) {
    (void)info;
    gp_thread *thread = gp_recording_is_on() ? gp_thread_enter() : NULL;
    if (!thread)
        return false;
    gp_fault_crashes(thread, context);
    gp_thread_leave(thread);
    return false;
}
