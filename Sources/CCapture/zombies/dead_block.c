#include "dead_block.h"

#include "TraceFormat.h"
#include "guard_pages.h"
#include "layout.h"
#include "quarantine.h"
#include "thread.h"
#include "zombie_record.h"

gp_grave *gp_dead_block(gp_live_entry entry, uintptr_t address) {
    if (gp_guard_holds(address)) {
        gp_grave *grave = gp_guard_grave(address);
        return grave && grave->state == GP_GUARD_DEAD ? grave : NULL;
    }
    return gp_quarantine_of_entry(entry, address);
}

void gp_report_followed(gp_thread *thread, uintptr_t address, gp_registers caller) {
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
