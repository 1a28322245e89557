// Running call frame information: from the description of a function to the rule at one of its instructions.
#ifndef GP_CFI_H
#define GP_CFI_H

#include "eh_frame.h"
#include "rule.h"

// The rule at `pc`, which lies in the described function. GP_CFA_UNKNOWN for what a rule cannot say.
gp_rule gp_cfi_rule(const gp_frame_description *description, uintptr_t pc);

#endif
