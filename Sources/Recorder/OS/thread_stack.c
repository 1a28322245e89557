#include "thread_stack.h"

#include "arch.h"
#include "mapping.h"
#include "thread_control_block.h"
#include "system.h"

extern void *__libc_stack_end;

bool gp_thread_stack_has_no_main;

static bool is_main(uint32_t id) {
    return !gp_thread_stack_has_no_main && id == (uint32_t)gp_system(getpid, 0);
}

// The stack of every thread but the main one ends with its thread control block.
uintptr_t gp_thread_stack_top(uint32_t id) {
    return is_main(id) ? (uintptr_t)__libc_stack_end : gp_control_block();
}

bool gp_thread_stack_find(uint32_t id, gp_thread_stack *stack) {
    const uintptr_t top = gp_thread_stack_top(id), after_control_block = gp_page_start(top) + 2 * gp_page_size();
    gp_mapping mapping;
    if (!gp_mapping_containing(top, &mapping))
        return false;
    const bool grows = is_main(id);
    if (!grows)
        gp_narrow_to_stack(&mapping, top);
    stack->low = grows ? 0 : mapping.start;
    stack->high = grows || mapping.end < after_control_block ? mapping.end : after_control_block;
    return true;
}

// The main thread's stack grows up to its limit, and the kernel keeps other mappings at a distance from it.
bool gp_thread_stack_overflows(uint32_t id, uintptr_t address, uintptr_t sp) {
    enum { DISTANCE = 1 << 20 };
    gp_stack_bounds bounds;
    gp_mapping mapping;
    if (!is_main(id))
        return gp_control_block_stack(gp_control_block(), &bounds) && address - bounds.low < bounds.guard;
    return gp_mapping_containing((uintptr_t)__libc_stack_end, &mapping) && mapping.start - address - 1 < DISTANCE &&
           sp < mapping.start + DISTANCE;
}
