// Blocks are resized, or asked for their size.
#include "arch.h"
#include "TraceFormat.h"
#include "dead_block.h"
#include "guard_pages.h"
#include "layout.h"
#include "thread.h"
#include "zombie_record.h"
#include "zombies.h"

int gp_zombie_resized(void *block, gp_registers caller) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? *place : 0;
    if (entry & GP_ENTRY_PRESENT)
        return GP_RESIZE_LIVES;
    gp_thread *thread = gp_thread_current();
    gp_quarantine_slot *slot = gp_dead_block(entry, address);
    if (thread && !thread->busy) {
        thread->busy = true;
        if (slot)
            gp_zombie_report(thread, slot,
                             &(gp_zombie_use){.access = GP_ACCESS_RESIZE, .stack = gp_stack_id(thread, caller)});
        else if (gp_is_poison_address(address))
            gp_report_followed(thread, address, caller);
        thread->busy = false;
    }
    return slot ? GP_RESIZE_DEAD : GP_RESIZE_UNKNOWN;
}

size_t gp_zombie_guarded_size(const void *block) {
    gp_quarantine_slot *slot = gp_guard_slot((uintptr_t)block);
    if (!slot)
        return 0;
    return slot->state == GP_GUARD_LIVE ? slot->metadata : slot->size;
}
