#include "stack_generation.h"

#include "rule_cache.h"
#include "stack_tree.h"

_Atomic uint32_t gp_stack_generation;

void gp_stack_image_gone(uintptr_t start, uintptr_t end, uint32_t after) {
    gp_rules_forget(start, end);
    gp_stack_nodes_forget(start, end, after);
    atomic_fetch_add(&gp_stack_generation, 1);
}
