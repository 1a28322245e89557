// What call frame information says at one instruction of a function: the rule by which its frame is unwound.
#pragma once

#include "eh_frame.h"
#include "rule.h"

// The rule at `pc`, which lies in the described function. GP_CFA_UNKNOWN for what a rule cannot say.
gp_rule gp_cfi_rule(const gp_frame_description *description, uintptr_t pc);

enum { GP_SAVED_REGISTERS = 5 };  // rbx, r12 … r15: what a function preserves for its caller, besides rbp

// Where the described function has saved its caller's registers, at `pc`: offsets from its CFA, 0: it has not touched the
// register. The last is rbp's. False: not all of them are known.
bool gp_cfi_saved_registers(const gp_frame_description *description, uintptr_t pc,
                            int32_t offsets[GP_SAVED_REGISTERS + 1]);
