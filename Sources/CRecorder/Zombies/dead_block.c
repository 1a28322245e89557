#include "dead_block.h"

#include "arch.h"
#include "TraceFormat.h"
#include "guard_pages.h"
#include "layout.h"
#include "quarantine.h"
#include "thread.h"
#include "zombie_record.h"

gp_quarantine_slot *gp_dead_block(gp_live_entry entry, uintptr_t address) {
    if (gp_guard_holds(address)) {
        gp_quarantine_slot *slot = gp_guard_slot(address);
        return slot && slot->state == GP_GUARD_DEAD ? slot : NULL;
    }
    return gp_quarantine_of_entry(entry, address);
}

void gp_report_followed(gp_thread *thread, uintptr_t address, gp_registers caller) {
    gp_decoded_fault touch = gp_decode_fault(address);
    gp_quarantine_slot *slot = gp_quarantine_slot_at(touch.slot);
    if (slot && slot->address)
        gp_zombie_report(thread, slot,
                         &(gp_zombie_use){
                             .access = GP_ACCESS_FOLLOWED,
                             .offset = touch.part == GP_FAULT_WORD       ? touch.offset
                                       : touch.part == GP_FAULT_METADATA ? 0
                                                                         : 8,
                             .stack = gp_stack_id(thread, caller),
                         });
}
