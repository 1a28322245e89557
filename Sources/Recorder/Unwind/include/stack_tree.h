// The tree in which every stack is stored once.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct gp_thread;

// The id of the node `pc` below `parent` (0: it is an outermost frame); `flags`: GP_FRAME_*. Writes a GP_FRAME record
// when the node is new. 0: no memory. A few ns.
uint32_t gp_stack_node(struct gp_thread *thread, uint32_t parent, uintptr_t pc, uint8_t flags);

// The node that was made last.
uint32_t gp_stack_last_node(void);

// Forgets the nodes of an image that is gone, of which no node had a larger id than `after` when it was found: what is
// loaded in its place gets nodes of its own.
void gp_stack_nodes_forget(uintptr_t start, uintptr_t end, uint32_t after);

// A recording begins in a process that made one before: writes the GP_FRAME of every node.
void gp_stack_nodes_write_again(struct gp_thread *thread);

// In a child made by fork: writes the GP_FRAME of every node. No stack ends at one of them once
// a generation begins.
void gp_stack_nodes_begin_in_child(struct gp_thread *thread);

// Counts the times that images went away: what a thread remembers of an earlier generation is stale.

extern _Atomic uint32_t gp_stack_generation;
