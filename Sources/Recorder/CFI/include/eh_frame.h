// Finding the frame description of a program counter in .eh_frame_hdr and .eh_frame.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dwarf_reader.h"
#include "image_layout.h"
#include "image_rule.h"
#include "rule.h"

// What the description of one function and its common entry say.
typedef struct {
    uintptr_t start, end;  // of the function
    uint64_t code_alignment;
    int64_t data_alignment;
    uint64_t return_register;
    bool signal_frame;
    uint8_t pointer_encoding;
    gp_dwarf_reader initial;  // instructions of the common entry
    gp_dwarf_reader program;  // instructions of the function
} gp_frame_description;

// Finds the description that covers `pc` by the image's .eh_frame_hdr. Reads within the image's readable segments alone.
// False: there is none, or it is malformed. ~100 ns.
bool gp_eh_frame_find(const gp_image_info *image, uintptr_t pc, gp_frame_description *description);

// What call frame information says at one instruction of a function: the rule by which its frame is unwound.

// The rule at `pc`, which lies in the described function. GP_CFA_UNKNOWN for what a rule cannot say.
gp_rule gp_cfi_rule(const gp_frame_description *description, uintptr_t pc);

// Where the described function has saved its caller's registers, at `pc`: offsets from its CFA, 0: it has not touched the
// register. The last is the frame pointer's. False: not all of them are known.
bool gp_cfi_saved_registers(const gp_frame_description *description, uintptr_t pc,
                            int32_t offsets[GP_SAVED_REGISTERS + 1]);
