// The rule of every program counter seen so far.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "concurrent_hash_map.h"
#include "rule.h"

struct gp_thread;

extern gp_concurrent_map gp_rules;

// Finds the rule in the image's call frame information and remembers it; 0: pc lies in no executable segment. ~1 µs.
gp_rule gp_rule_look_up(struct gp_thread *thread, uintptr_t pc, bool exact);

// The rule at `pc`: a return address, or an instruction of its own when `exact`. 0: pc lies in no executable segment.
// A few ns for a pc seen before.
static inline gp_rule gp_rule_at(struct gp_thread *thread, uintptr_t pc, bool exact) {
    gp_rule rule = gp_pair_find(&gp_rules, (uint64_t)pc << 1 | exact, 0, 0);
    return __builtin_expect(rule != 0, 1) ? rule : gp_rule_look_up(thread, pc, exact);
}

// Forgets the rules of an image that is gone.
void gp_rules_forget(uintptr_t start, uintptr_t end);
