// Dead blocks that come back to the allocator's functions.
#ifndef GP_ZOMBIES_DEAD_BLOCK_H
#define GP_ZOMBIES_DEAD_BLOCK_H

#include <stdint.h>

#include "grave.h"
#include "../recorder/live_entry.h"
#include "stack.h"

struct gp_thread;

// The grave of the dead block at `address`, NULL: none is there. `entry`: of the live table.
gp_grave *gp_dead_block(gp_live_entry entry, uintptr_t address);

// Reports that an address which was followed out of a dead block (in the graves) is given to the allocator.
void gp_report_followed(struct gp_thread *thread, uintptr_t address, gp_registers caller);

#endif
