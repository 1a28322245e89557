// Proof by counting: a strongly connected component of Swift objects whose strong counts are all explained by references
// from inside it has no other owner, whatever a stale word on a stack says.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "object_graph.h"

// Stores into closed[c] (component numbers 1 …, room for components + 1) whether component c is proven. `hot`: blocks
// whose references a running thread may just be moving; a component with one of them is not judged. NULL: none.
void gp_count_closure(const gp_object_graph *graph, const uint64_t *hot, bool *closed, uint32_t *incoming);
