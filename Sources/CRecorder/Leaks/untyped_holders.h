// What counts do not see: memory of C keeps a plain pointer to an object that keeps itself alive until its operation is done
// (`keepAlive = self` beside `passUnretained(self)`). The counts of such a component say that nobody outside owns it, and
// yet the program still uses it.
//
// A word of a stack or a register is no such holder, for it may be stale; nor is a pointer in memory that only the
// component itself leads to, for that is lost with it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "mark.h"
#include "object_graph.h"
#include "roots.h"

typedef struct {
    const gp_object_graph *graph;  // with its components
    const gp_roots *roots;
    gp_marker *marker;  // restarted with `closed`
    uint64_t *closed;  // by block: members of components whose counts are closed; those found held are taken out
    bool *closed_component;  // by component; likewise
    bool *held_component;  // by component: those taken out are added
} gp_untyped_holders;

// Marks from all roots, and takes out of the closed components those that a lasting pointer without a count names. False:
// no memory, marking is not complete.
bool gp_untyped_holders_mark(gp_untyped_holders *holders);
