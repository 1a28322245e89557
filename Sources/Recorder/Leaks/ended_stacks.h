// Stacks of ended threads: libc keeps them, with the control block at their outer end, for the next threads. What lies
// there is nobody's, but for the result of a thread that may still be joined.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_index.h"
#include "roots.h"

typedef struct {
    gp_address_range range;
    uintptr_t control_block;
    bool is_joined;  // or detached: nobody can ask for its result
} gp_ended_stack;

struct gp_ended_stacks {
    size_t count;
    gp_ended_stack *stacks;  // ascending
};

// Learns where this libc keeps what is asked of a control block. Before the first snapshot, outside of malloc.
void gp_ended_stacks_prepare(void);

// Room for what is found. False: no memory.
bool gp_ended_stacks_begin(gp_ended_stacks *ended);

// A visitor of gp_roots_each_lasting, for roots whose `ended` is NULL: adds what lies in mapped memory. Stacks that the
// program made itself are its own memory, also after their threads.
void gp_ended_stacks_note(const gp_root_words *words, void *ended);

// The first one that ends above `from` and starts below `end`; start == end: none.
gp_address_range gp_ended_stack_first(const gp_ended_stacks *ended, uintptr_t from, uintptr_t end);

// Calls `visit` for the words of control blocks whose threads may still be joined, but for the thread's argument.
void gp_ended_stacks_each_result(const gp_ended_stacks *ended, gp_range_visitor *visit, void *context);
