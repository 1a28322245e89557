// The stack of a thread that waits in the kernel, by its stack pointer and program counter alone: the kernel tells no other
// register without stopping it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copied_stack.h"
#include "image_layout.h"

typedef enum {
    GP_NO_CALL,  // no call, or one of another function
    GP_SOME_CALL,  // a call whose target is not known
    GP_CALL_OF_FUNCTION,
} gp_call_kind;

// How the thread's memory and code are read.
typedef struct {
    void *context;
    // The word at an address of its stack. False: it cannot be read.
    bool (*read_word)(void *context, uintptr_t address, uintptr_t *word);
    gp_rule_finder rule_at;
    // First address of the function that holds `pc`. 0: that is not known.
    uintptr_t (*function_start)(void *context, uintptr_t pc);
    // What stands in front of a return address, with regard to `function` (0: any).
    gp_call_kind (*call_before)(void *context, uintptr_t address, uintptr_t function);
} gp_waiting_thread;

// Stores up to `capacity` program counters, innermost first, and returns how many.
size_t gp_waiting_stack_walk(const gp_waiting_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t *pcs,
                             size_t capacity);

// The call in front of a return address of an image that was copied.
typedef struct {
    bool is_call;
    uintptr_t target;  // of the copy; 0: it is not known
    // Where the target's address stands, in the copy: the call, or a linkage table, goes through this word; 0: none.
    uintptr_t word;
} gp_image_call;

gp_image_call gp_call_in_image(const gp_image_info *image, uintptr_t address);
