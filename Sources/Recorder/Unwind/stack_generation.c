#include "stack_tree.h"

#include "images.h"
#include "rule_cache.h"
#include "stack.h"

_Atomic uint32_t gp_stack_generation;

static void forget(uintptr_t start, uintptr_t end, uint32_t after) {
    gp_rules_forget(start, end);
    gp_stack_nodes_forget(start, end, after);
    atomic_fetch_add(&gp_stack_generation, 1);
}

void gp_stack_observe_images(void) {
    static const gp_image_observer observer = {.found = gp_stack_last_node, .gone = forget};
    gp_images_observe(&observer);
}
