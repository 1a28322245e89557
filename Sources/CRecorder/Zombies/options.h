// What was asked of the zombies instrument: GAMEPROF_ZOMBIES, a list of words divided by semicolons.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "type_choice.h"

typedef struct {
    uint64_t quarantine_bytes;  // quarantine-bytes=N
    uint32_t quarantine_count;  // quarantine-count=N
    uint32_t sample;  // sample=N: one in N objects is guarded; 0: none
    bool guard_all;  // guard
    bool no_guard;  // no-guard: no object has pages of its own
    bool keep_going;  // keep-going
    gp_type_choice guarded_types;  // guard=A|B: names with or without module
} gp_zombie_options;

extern __attribute__((visibility("hidden"))) gp_zombie_options gp_zombie_asked;

void gp_zombie_options_read(const char *list);
