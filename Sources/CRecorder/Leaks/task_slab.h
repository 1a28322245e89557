// The memory in which Swift's tasks keep their asynchronous frames (StackAllocator::Slab): frames are put one behind the
// other and taken off from the end. What stands behind the last one was left by functions that returned.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"

// Whether a slab lies at `block`. `end`: of what was asked for.
bool gp_is_task_slab(const gp_block_index *index, uintptr_t block, uintptr_t end);

// Where the frames in the slab at `block` end.
uintptr_t gp_task_slab_end(uintptr_t block);
