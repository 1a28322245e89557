#include "cfi.h"

#include <stddef.h>

enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, R15 = 15, RETURN_ADDRESS = 16, REMEMBERED = 8, NOT_AT_CFA = INT32_MIN };

typedef enum {
    SAME,
    UNDEFINED,
    AT_CFA,  // saved at CFA + offset
    AT_EXPRESSION,  // saved at the address that the expression gives
    OTHER,
} place_kind;

typedef struct {
    place_kind kind;
    int64_t offset;
    gp_dwarf_reader expression;
} place;

typedef struct {
    bool by_expression;
    uint64_t cfa_register;
    int64_t cfa_offset;
    gp_dwarf_reader cfa_expression;
    place rbp, ra;
    int32_t saved[GP_SAVED_REGISTERS];  // offset from the CFA, 0: not saved, NOT_AT_CFA
} row;

typedef struct {
    const gp_frame_description *description;
    row row, initial;
    row remembered[REMEMBERED];
    unsigned depth;
    uintptr_t location;
} machine;

static place *place_of(row *row, uint64_t number) {
    return number == RBP ? &row->rbp : number == RETURN_ADDRESS ? &row->ra : NULL;
}

static int32_t *saved_of(row *row, uint64_t number) {
    return number == RBX ? &row->saved[0] : number >= R12 && number <= R15 ? &row->saved[number - R12 + 1] : NULL;
}

static void set_place(machine *machine, uint64_t number, place_kind kind, int64_t offset) {
    place *place = place_of(&machine->row, number);
    if (place) {
        place->kind = kind;
        place->offset = offset;
    }
    int32_t *saved = saved_of(&machine->row, number);
    if (saved)
        *saved = kind == AT_CFA ? (int32_t)offset : kind == SAME || kind == UNDEFINED ? 0 : NOT_AT_CFA;
}

static gp_dwarf_reader block(gp_dwarf_reader *reader) {
    uint64_t size = gp_dwarf_uleb(reader);
    gp_dwarf_reader block = *reader;
    if (reader->failed || size > (uint64_t)(reader->end - reader->at)) {
        reader->failed = true;
        block.failed = true;
        return block;
    }
    block.end = block.at + size;
    reader->at = block.end;
    return block;
}

static void restore(machine *machine, uint64_t number) {
    place *place = place_of(&machine->row, number);
    if (place)
        *place = *place_of(&machine->initial, number);
    int32_t *saved = saved_of(&machine->row, number);
    if (saved)
        *saved = *saved_of(&machine->initial, number);
}

// Runs until the end of the program or until the location goes beyond pc.
static bool run(machine *machine, gp_dwarf_reader reader, uintptr_t pc) {
    const uint64_t code = machine->description->code_alignment;
    const int64_t data = machine->description->data_alignment;
    while (reader.at < reader.end && !reader.failed) {
        uint8_t byte = (uint8_t)gp_dwarf_fixed(&reader, 1);
        uint8_t low = byte & 0x3f;
        uintptr_t next = machine->location;
        switch (byte & 0xc0) {
        case 0x40:
            next += low * code;
            break;  // advance_loc
        case 0x80:
            set_place(machine, low, AT_CFA, (int64_t)gp_dwarf_uleb(&reader) * data);
            continue;  // offset
        case 0xc0:
            restore(machine, low);
            continue;  // restore
        default:
            switch (byte) {
            case 0x00:
                continue;  // nop
            case 0x01:
                next = gp_dwarf_pointer(&reader, machine->description->pointer_encoding, 0);
                break;  // set_loc
            case 0x02:
                next += gp_dwarf_fixed(&reader, 1) * code;
                break;  // advance_loc1
            case 0x03:
                next += gp_dwarf_fixed(&reader, 2) * code;
                break;  // advance_loc2
            case 0x04:
                next += gp_dwarf_fixed(&reader, 4) * code;
                break;  // advance_loc4
            case 0x05: {  // offset_extended
                uint64_t number = gp_dwarf_uleb(&reader);
                set_place(machine, number, AT_CFA, (int64_t)gp_dwarf_uleb(&reader) * data);
                continue;
            }
            case 0x06:
                restore(machine, gp_dwarf_uleb(&reader));
                continue;  // restore_extended
            case 0x07:
                set_place(machine, gp_dwarf_uleb(&reader), UNDEFINED, 0);
                continue;  // undefined
            case 0x08:
                set_place(machine, gp_dwarf_uleb(&reader), SAME, 0);
                continue;  // same_value
            case 0x09: {  // register
                uint64_t number = gp_dwarf_uleb(&reader);
                gp_dwarf_uleb(&reader);
                set_place(machine, number, OTHER, 0);
                continue;
            }
            case 0x0a:  // remember_state
                if (machine->depth == REMEMBERED)
                    return false;
                machine->remembered[machine->depth++] = machine->row;
                continue;
            case 0x0b:  // restore_state
                if (machine->depth == 0)
                    return false;
                machine->row = machine->remembered[--machine->depth];
                continue;
            case 0x0c:  // def_cfa
            case 0x12:  // def_cfa_sf
                machine->row.by_expression = false;
                machine->row.cfa_register = gp_dwarf_uleb(&reader);
                machine->row.cfa_offset =
                    byte == 0x0c ? (int64_t)gp_dwarf_uleb(&reader) : gp_dwarf_sleb(&reader) * data;
                continue;
            case 0x0d:
                machine->row.cfa_register = gp_dwarf_uleb(&reader);
                continue;  // def_cfa_register
            case 0x0e:
                machine->row.cfa_offset = (int64_t)gp_dwarf_uleb(&reader);
                continue;  // def_cfa_offset
            case 0x13:
                machine->row.cfa_offset = gp_dwarf_sleb(&reader) * data;
                continue;  // def_cfa_offset_sf
            case 0x0f:  // def_cfa_expression
                machine->row.by_expression = true;
                machine->row.cfa_expression = block(&reader);
                continue;
            case 0x10:  // expression
            case 0x16: {  // val_expression
                uint64_t number = gp_dwarf_uleb(&reader);
                gp_dwarf_reader expression = block(&reader);
                set_place(machine, number, byte == 0x10 ? AT_EXPRESSION : OTHER, 0);
                if (place_of(&machine->row, number))
                    place_of(&machine->row, number)->expression = expression;
                continue;
            }
            case 0x11: {  // offset_extended_sf
                uint64_t number = gp_dwarf_uleb(&reader);
                set_place(machine, number, AT_CFA, gp_dwarf_sleb(&reader) * data);
                continue;
            }
            case 0x14:  // val_offset
            case 0x15: {  // val_offset_sf
                uint64_t number = gp_dwarf_uleb(&reader);
                gp_dwarf_uleb(&reader);
                set_place(machine, number, OTHER, 0);
                continue;
            }
            case 0x2e:
                gp_dwarf_uleb(&reader);
                continue;  // GNU_args_size
            case 0x2f: {  // GNU_negative_offset_extended
                uint64_t number = gp_dwarf_uleb(&reader);
                set_place(machine, number, AT_CFA, -(int64_t)gp_dwarf_uleb(&reader) * data);
                continue;
            }
            default:
                return false;
            }
        }
        if (next > pc)
            return true;
        machine->location = next;
    }
    return !reader.failed;
}

enum { OP_DEREF = 0x06, OP_PLUS_UCONST = 0x23, OP_BREG0 = 0x70 };

// breg(sp|fp) offset, deref, [plus_uconst addend]: stacks that a function moved or realigned.
static bool cfa_of_expression(gp_dwarf_reader reader, gp_cfa_kind *kind, int64_t *offset, int64_t *addend) {
    uint64_t op = gp_dwarf_fixed(&reader, 1);
    if (op != OP_BREG0 + RBP && op != OP_BREG0 + RSP)
        return false;
    *offset = gp_dwarf_sleb(&reader);
    if (gp_dwarf_fixed(&reader, 1) != OP_DEREF)
        return false;
    *kind = op == OP_BREG0 + RBP ? GP_CFA_AT_FP : GP_CFA_AT_SP;
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

// Brings the machine to the row that holds at `pc`.
static bool find_row(machine *machine, const gp_frame_description *description, uintptr_t pc) {
    machine->description = description;
    machine->location = description->start;
    if (!run(machine, description->initial, UINTPTR_MAX))
        return false;
    machine->initial = machine->row;
    machine->location = description->start;
    return run(machine, description->program, pc);
}

bool gp_cfi_saved_registers(const gp_frame_description *description, uintptr_t pc,
                            int32_t offsets[GP_SAVED_REGISTERS + 1]) {
    machine machine = {0};
    if (description->signal_frame || !find_row(&machine, description, pc))
        return false;
    const row *row = &machine.row;
    for (unsigned i = 0; i < GP_SAVED_REGISTERS; i++) {
        offsets[i] = row->saved[i];
        if (offsets[i] == NOT_AT_CFA)
            return false;
    }
    offsets[GP_SAVED_REGISTERS] = row->rbp.kind == AT_CFA ? (int32_t)row->rbp.offset : 0;
    return row->rbp.kind == SAME || row->rbp.kind == AT_CFA || row->rbp.kind == UNDEFINED;
}

gp_rule gp_cfi_rule(const gp_frame_description *description, uintptr_t pc) {
    gp_rule unknown, rule;
    gp_rule_pack(&unknown, GP_CFA_UNKNOWN, 0, 0, GP_FP_SAME, 0);
    if (description->signal_frame) {
        gp_rule_pack(&rule, GP_CFA_SIGNAL, 0, 0, GP_FP_SAME, 0);
        return rule;
    }
    if (description->return_register != RETURN_ADDRESS)
        return unknown;
    machine machine = {0};
    if (!find_row(&machine, description, pc))
        return unknown;

    const row *row = &machine.row;
    if (row->ra.kind == UNDEFINED) {
        gp_rule_pack(&rule, GP_CFA_END, 0, 0, GP_FP_SAME, 0);
        return rule;
    }
    if (row->ra.kind != AT_CFA || row->ra.offset != -8)
        return unknown;
    gp_cfa_kind kind;
    int64_t offset = row->cfa_offset, addend = 0;
    if (row->by_expression && is_plt_expression(row->cfa_expression)) {
        kind = GP_CFA_SP;
        offset = 8 + ((pc & 15) >= (uintptr_t)(row->cfa_expression.at[6] - 0x30) ? 8 : 0);
    } else if (row->by_expression) {
        if (!cfa_of_expression(row->cfa_expression, &kind, &offset, &addend))
            return unknown;
    } else if (row->cfa_register == RSP || row->cfa_register == RBP) {
        kind = row->cfa_register == RSP ? GP_CFA_SP : GP_CFA_FP;
    } else {
        return unknown;
    }
    gp_fp_kind fp = GP_FP_SAME;
    int64_t fp_offset = 0;
    if (row->rbp.kind == AT_CFA) {
        fp = GP_FP_AT_CFA;
        fp_offset = row->rbp.offset;
    } else if (row->rbp.kind == AT_EXPRESSION) {
        gp_dwarf_reader reader = row->rbp.expression;
        if (gp_dwarf_fixed(&reader, 1) != OP_BREG0 + RBP)
            return unknown;
        fp = GP_FP_AT_FP;
        fp_offset = gp_dwarf_sleb(&reader);
        if (reader.failed || reader.at != reader.end)
            return unknown;
    } else if (row->rbp.kind == OTHER) {
        return unknown;
    }
    return gp_rule_pack(&rule, kind, offset, addend, fp, fp_offset) ? rule : unknown;
}
