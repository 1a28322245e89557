// Proof by counting: a strongly connected component of Swift objects whose strong counts are all explained by references
// from inside it is owned by nobody else, whatever a stale word on a stack says.
#ifndef GP_COUNT_CLOSURE_H
#define GP_COUNT_CLOSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "object_graph.h"

// Stores into closed[c] (component numbers 1 …, room for components + 1) whether component c is proven. `hot`: blocks
// whose references a running thread may just be moving; a component with one of them is not judged. NULL: none.
void gp_count_closure(const gp_object_graph *graph, const uint64_t *hot, bool *closed, uint32_t *incoming);

#endif
