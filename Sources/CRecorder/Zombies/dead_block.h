// Dead blocks that come back to the allocator's functions.
#pragma once

#include <stdint.h>

#include "arch.h"
#include "quarantine_slot.h"
#include "live_entry.h"
#include "stack.h"

struct gp_thread;

// The slot of the quarantined block at `address`, NULL: none is there. `entry`: of the live table.
gp_quarantine_slot *gp_dead_block(gp_live_entry entry, uintptr_t address);

// Reports that an address which was followed out of a dead block (in the slots) is given to the allocator.
void gp_report_followed(struct gp_thread *thread, uintptr_t address, gp_registers caller);
