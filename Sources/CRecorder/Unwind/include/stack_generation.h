// Counts the times that images went away: what a thread remembers of an earlier generation is stale.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

extern _Atomic uint32_t gp_stack_generation;
