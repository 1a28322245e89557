// What libdispatch keeps for later: each thread has a chain of continuations that were run. Their words still name the
// function, its context and its data, which may be lost by now: such a block is alive, and holds nothing.
#pragma once

#include <stdint.h>

#include "roots.h"

// Calls `visit` for each block that waits in the chain of a thread.
void gp_dispatch_cache_each(const gp_roots *roots, void (*visit)(uint32_t block, void *context), void *context);
