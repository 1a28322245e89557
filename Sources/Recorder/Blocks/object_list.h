// The list of the objects of chosen types: where each was and how large, who allocated it, when it was allocated and freed.
#pragma once

#include <stdint.h>

#include "live_table.h"
#include "slow_path.h"

struct gp_thread;

// A block is freed while objects are listed (GP_AGE_LISTED). `type`: of a GP_TYPE record, 0: none. To be called behind the
// event, which may join the one that the thread wrote last.
GP_SLOW_PATH void gp_object_list_freed(struct gp_thread *thread, const gp_block *block, uint32_t type);
