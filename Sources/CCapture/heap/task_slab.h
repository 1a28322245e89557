// The memory in which Swift's tasks keep their asynchronous frames (StackAllocator::Slab): frames are put one behind the
// other and taken off from the end. What stands behind the last one was left by functions that returned.
#ifndef GP_TASK_SLAB_H
#define GP_TASK_SLAB_H

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"

// Whether a slab lies at `block`. `end`: of what was asked for.
bool gp_is_task_slab(const gp_block_index *index, uintptr_t block, uintptr_t end);

// Where the frames in the slab at `block` end; `end` when no slab lies there. `end`: of what was asked for.
uintptr_t gp_task_slab_end(const gp_block_index *index, uintptr_t block, uintptr_t end);

#endif
