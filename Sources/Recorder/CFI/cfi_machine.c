#include "cfi_machine.h"

#include <stddef.h>

enum { REMEMBERED = 8 };

typedef struct {
    const gp_frame_description *description;
    gp_cfi_row row, initial;
    gp_cfi_row remembered[REMEMBERED];
    unsigned depth;
    uintptr_t location;
} machine;

static gp_cfi_place *place_of(gp_cfi_row *row, uint64_t number) {
    return number == GP_DWARF_FP ? &row->fp : number == GP_DWARF_RETURN_ADDRESS ? &row->ra : NULL;
}

static int32_t *saved_of(gp_cfi_row *row, uint64_t number) {
    const int place = gp_dwarf_saved(number);
    return place >= 0 ? &row->saved[place] : NULL;
}

static int32_t offset_of(gp_cfi_place_kind kind, int64_t offset) {
    if (kind == GP_PLACE_SAME || kind == GP_PLACE_UNDEFINED)
        return 0;
    return kind == GP_PLACE_AT_CFA && offset == (int32_t)offset ? (int32_t)offset : GP_NOT_AT_CFA;
}

// Numbers of a malformed program may be too large: they wrap.
static int64_t scaled(uint64_t number, int64_t factor) {
    return (int64_t)(number * (uint64_t)factor);
}

static void set_place(machine *machine, uint64_t number, gp_cfi_place_kind kind, int64_t offset) {
    gp_cfi_place *place = place_of(&machine->row, number);
    if (place) {
        place->kind = kind;
        place->offset = offset;
    }
    int32_t *saved = saved_of(&machine->row, number);
    if (saved)
        *saved = offset_of(kind, offset);
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
    gp_cfi_place *place = place_of(&machine->row, number);
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
            set_place(machine, low, GP_PLACE_AT_CFA, scaled(gp_dwarf_uleb(&reader), data));
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
                set_place(machine, number, GP_PLACE_AT_CFA, scaled(gp_dwarf_uleb(&reader), data));
                continue;
            }
            case 0x06:
                restore(machine, gp_dwarf_uleb(&reader));
                continue;  // restore_extended
            case 0x07:
                set_place(machine, gp_dwarf_uleb(&reader), GP_PLACE_UNDEFINED, 0);
                continue;  // undefined
            case 0x08:
                set_place(machine, gp_dwarf_uleb(&reader), GP_PLACE_SAME, 0);
                continue;  // same_value
            case 0x09: {  // register
                uint64_t number = gp_dwarf_uleb(&reader);
                gp_dwarf_uleb(&reader);
                set_place(machine, number, GP_PLACE_OTHER, 0);
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
                    byte == 0x0c ? (int64_t)gp_dwarf_uleb(&reader) : scaled((uint64_t)gp_dwarf_sleb(&reader), data);
                continue;
            case 0x0d:
                machine->row.cfa_register = gp_dwarf_uleb(&reader);
                continue;  // def_cfa_register
            case 0x0e:
                machine->row.cfa_offset = (int64_t)gp_dwarf_uleb(&reader);
                continue;  // def_cfa_offset
            case 0x13:
                machine->row.cfa_offset = scaled((uint64_t)gp_dwarf_sleb(&reader), data);
                continue;  // def_cfa_offset_sf
            case 0x0f:  // def_cfa_expression
                machine->row.by_expression = true;
                machine->row.cfa_expression = block(&reader);
                continue;
            case 0x10:  // expression
            case 0x16: {  // val_expression
                uint64_t number = gp_dwarf_uleb(&reader);
                gp_dwarf_reader expression = block(&reader);
                set_place(machine, number, byte == 0x10 ? GP_PLACE_AT_EXPRESSION : GP_PLACE_OTHER, 0);
                if (place_of(&machine->row, number))
                    place_of(&machine->row, number)->expression = expression;
                continue;
            }
            case 0x11: {  // offset_extended_sf
                uint64_t number = gp_dwarf_uleb(&reader);
                set_place(machine, number, GP_PLACE_AT_CFA, scaled((uint64_t)gp_dwarf_sleb(&reader), data));
                continue;
            }
            case 0x14:  // val_offset
            case 0x15: {  // val_offset_sf
                uint64_t number = gp_dwarf_uleb(&reader);
                gp_dwarf_uleb(&reader);
                set_place(machine, number, GP_PLACE_OTHER, 0);
                continue;
            }
            case 0x2d:  // negate_ra_state of aarch64: the return address is signed
                if (!GP_SIGNS_RETURN_ADDRESSES)
                    return false;
                continue;
            case 0x2e:
                gp_dwarf_uleb(&reader);
                continue;  // GNU_args_size
            case 0x2f: {  // GNU_negative_offset_extended
                uint64_t number = gp_dwarf_uleb(&reader);
                set_place(machine, number, GP_PLACE_AT_CFA, scaled(-gp_dwarf_uleb(&reader), data));
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

bool gp_cfi_find_row(const gp_frame_description *description, uintptr_t pc, gp_cfi_row *row) {
    machine machine = {.description = description, .location = description->start};
    if (!run(&machine, description->initial, UINTPTR_MAX))
        return false;
    machine.initial = machine.row;
    machine.location = description->start;
    if (!run(&machine, description->program, pc))
        return false;
    *row = machine.row;
    return true;
}
