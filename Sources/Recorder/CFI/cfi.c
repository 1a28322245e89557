#include "eh_frame.h"

#include <stddef.h>
#include <string.h>

#include "cfi_machine.h"

enum { OP_DEREF = 0x06, OP_PLUS_UCONST = 0x23, OP_BREG0 = 0x70 };

// breg(sp|fp) offset, deref, [plus_uconst addend]: stacks that a function moved or realigned.
static bool cfa_of_expression(gp_dwarf_reader reader, gp_cfa_kind *kind, int64_t *offset, int64_t *addend) {
    uint64_t op = gp_dwarf_fixed(&reader, 1);
    if (op != OP_BREG0 + GP_DWARF_FP && op != OP_BREG0 + GP_DWARF_SP)
        return false;
    *offset = gp_dwarf_sleb(&reader);
    if (gp_dwarf_fixed(&reader, 1) != OP_DEREF)
        return false;
    *kind = op == OP_BREG0 + GP_DWARF_FP ? GP_CFA_AT_FP : GP_CFA_AT_SP;
    *addend = 0;
    if (reader.at < reader.end) {
        if (gp_dwarf_fixed(&reader, 1) != OP_PLUS_UCONST)
            return false;
        *addend = (int64_t)gp_dwarf_uleb(&reader);
    }
    return !reader.failed && reader.at == reader.end;
}

// The procedure linkage table: two words are on the stack once the entry's second instruction has run. Its entries are
// 16 bytes long and aligned.
static bool is_plt_expression(gp_dwarf_reader reader) {
    static const uint8_t plt[] = {0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
    return (size_t)(reader.end - reader.at) == sizeof plt && memcmp(reader.at, plt, 6) == 0 &&
           memcmp(reader.at + 7, plt + 7, 4) == 0 && reader.at[6] >= 0x30 && reader.at[6] <= 0x4f;
}

bool gp_cfi_saved_registers(const gp_frame_description *description, uintptr_t pc,
                            int32_t offsets[GP_SAVED_REGISTERS + 1]) {
    gp_cfi_row row;
    if (description->signal_frame || !gp_cfi_find_row(description, pc, &row))
        return false;
    for (unsigned i = 0; i < GP_SAVED_REGISTERS; i++) {
        offsets[i] = row.saved[i];
        if (offsets[i] == GP_NOT_AT_CFA)
            return false;
    }
    offsets[GP_SAVED_REGISTERS] = row.fp.kind == GP_PLACE_AT_CFA ? (int32_t)row.fp.offset : 0;
    return row.fp.kind == GP_PLACE_SAME || row.fp.kind == GP_PLACE_AT_CFA || row.fp.kind == GP_PLACE_UNDEFINED;
}

gp_rule gp_cfi_rule(const gp_frame_description *description, uintptr_t pc) {
    gp_rule unknown, rule;
    gp_rule_pack(&unknown, GP_CFA_UNKNOWN, 0, 0, GP_FP_SAME, 0);
    if (description->signal_frame) {
        gp_rule_pack(&rule, GP_CFA_SIGNAL, 0, 0, GP_FP_SAME, 0);
        return rule;
    }
    if (description->return_register != GP_DWARF_RETURN_ADDRESS)
        return unknown;
    gp_cfi_row row;
    if (!gp_cfi_find_row(description, pc, &row))
        return unknown;
    if (row.ra.kind == GP_PLACE_UNDEFINED) {
        gp_rule_pack(&rule, GP_CFA_END, 0, 0, GP_FP_SAME, 0);
        return rule;
    }
    const bool in_link = GP_RETURN_AT_CFA == 0 && row.ra.kind == GP_PLACE_SAME;
    if (!in_link && (row.ra.kind != GP_PLACE_AT_CFA || (GP_RETURN_AT_CFA != 0 && row.ra.offset != GP_RETURN_AT_CFA)))
        return unknown;
    gp_cfa_kind kind;
    int64_t offset = row.cfa_offset, addend = 0;
    if (row.by_expression && is_plt_expression(row.cfa_expression)) {
        kind = GP_CFA_SP;
        offset = 8 + ((pc & 15) >= (uintptr_t)(row.cfa_expression.at[6] - 0x30) ? 8 : 0);
    } else if (row.by_expression) {
        if (!cfa_of_expression(row.cfa_expression, &kind, &offset, &addend))
            return unknown;
    } else if (row.cfa_register == GP_DWARF_SP || row.cfa_register == GP_DWARF_FP) {
        kind = row.cfa_register == GP_DWARF_SP ? GP_CFA_SP : GP_CFA_FP;
    } else {
        return unknown;
    }
    gp_fp_kind fp = GP_FP_SAME;
    int64_t fp_offset = 0;
    if (row.fp.kind == GP_PLACE_AT_CFA) {
        fp = GP_FP_AT_CFA;
        fp_offset = row.fp.offset;
    } else if (row.fp.kind == GP_PLACE_AT_EXPRESSION) {
        gp_dwarf_reader reader = row.fp.expression;
        if (gp_dwarf_fixed(&reader, 1) != OP_BREG0 + GP_DWARF_FP)
            return unknown;
        fp = GP_FP_AT_FP;
        fp_offset = gp_dwarf_sleb(&reader);
        if (reader.failed || reader.at != reader.end)
            return unknown;
    } else if (row.fp.kind == GP_PLACE_OTHER) {
        return unknown;
    }
    if (GP_RETURN_AT_CFA == 0 && !in_link && fp == GP_FP_SAME)
        fp_offset = row.ra.offset;
    if (!gp_rule_pack(&rule, kind, offset, addend, fp, fp_offset) ||
        (!in_link && (fp == GP_FP_AT_FP ? GP_RETURN_AT_CFA == 0 : gp_rule_return_offset(rule) != row.ra.offset)))
        return unknown;
    return in_link ? rule | GP_RULE_RETURN_IN_LINK : rule;
}
