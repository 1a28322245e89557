// Value witness tables: what the runtime knows about values of a type. Data only; no witness is called.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t size, stride, alignment, extra_inhabitants;
    bool plain;  // values own nothing
    bool inline_value;  // fits into an existential's three words
} gp_value_witnesses;

// False: the metadata has no table, or one that cannot be.
bool gp_value_witnesses_of(uintptr_t metadata, gp_value_witnesses *witnesses);
