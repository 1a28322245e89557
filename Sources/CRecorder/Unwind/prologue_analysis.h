// Functions without call frame information, as the Swift runtime has by the thousand: those that cannot throw. They keep a
// frame pointer, but not yet at their first instructions and no more at their last.
#pragma once

#include "rule.h"

// The rule at an instruction that was interrupted in such a function, by the instructions around it: GP_CFA_UNKNOWN where
// the frame pointer is its own. Reads code within the executable segment of `pc` alone.
gp_rule gp_prologue_rule(uintptr_t pc);
