// Counts the times that images went away: what a thread remembers of an earlier generation is stale.
#ifndef GP_STACK_GENERATION_H
#define GP_STACK_GENERATION_H

#include <stdatomic.h>
#include <stdint.h>

extern _Atomic uint32_t gp_stack_generation;

// The node of the stack tree that was made last.
uint32_t gp_stack_last_node(void);

// Forgets what was learnt of the image that lay in start ≤ address < end and was found when `after` was the last node.
void gp_stack_image_gone(uintptr_t start, uintptr_t end, uint32_t after);

#endif
