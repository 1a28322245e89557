// The frames of a stack by its id, for what reads stacks while the program runs: the trace has them only for whoever reads it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "slow_path.h"

extern __attribute__((visibility("hidden"))) bool gp_stack_frames_are_kept;

// From here on: before the first stack. Costs 16 bytes for each node of the tree.
void gp_stack_frames_keep_all(void);

GP_SLOW_PATH void gp_stack_frame_store(uint32_t id, uint32_t parent, uintptr_t pc, uint8_t flags);

// A node was made. Before anybody is told its id.
static inline void gp_stack_frame_keep(uint32_t id, uint32_t parent, uintptr_t pc, uint8_t flags) {
    if (GP_UNLIKELY(gp_stack_frames_are_kept))
        gp_stack_frame_store(id, parent, pc, flags);
}
