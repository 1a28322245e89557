// Running call frame information: the program of a function's description, up to the row that holds at one of its
// instructions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dwarf_reader.h"
#include "eh_frame.h"

// Where a caller's register is.
typedef enum {
    GP_PLACE_SAME,
    GP_PLACE_UNDEFINED,
    GP_PLACE_AT_CFA,  // saved at CFA + offset
    GP_PLACE_AT_EXPRESSION,  // saved at the address that the expression gives
    GP_PLACE_OTHER,
} gp_cfi_place_kind;

typedef struct {
    gp_cfi_place_kind kind;
    int64_t offset;
    gp_dwarf_reader expression;
} gp_cfi_place;

enum { GP_NOT_AT_CFA = INT32_MIN };

typedef struct {
    bool by_expression;
    uint64_t cfa_register;
    int64_t cfa_offset;
    gp_dwarf_reader cfa_expression;
    gp_cfi_place fp, ra;
    int32_t saved[GP_SAVED_REGISTERS];  // offset from the CFA, 0: not saved, GP_NOT_AT_CFA
} gp_cfi_row;

// The row that holds at `pc`, which lies in the described function. False: the program is malformed, or does what no
// compiler's does.
bool gp_cfi_find_row(const gp_frame_description *description, uintptr_t pc, gp_cfi_row *row);
