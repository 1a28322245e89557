// The types of the objects in live blocks.
#pragma once

#include <stdint.h>

#include "live_table.h"

struct gp_thread;

// The type of the object in a live block, 0: there is none.
uint32_t gp_block_type(struct gp_thread *thread, const gp_block *block);

// Writes the live blocks by type and allocation stack as GP_LIVE_TYPE records, which belong to no snapshot.
void gp_live_types_write(struct gp_thread *thread);
