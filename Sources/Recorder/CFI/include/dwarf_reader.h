// Reading the numbers of .eh_frame: a cursor that never goes beyond its end.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const uint8_t *at, *end;
    bool failed;  // something was cut off or is not supported; all further reads give 0
} gp_dwarf_reader;

static inline uint64_t gp_dwarf_fixed(gp_dwarf_reader *reader, unsigned size) {
    uint64_t value = 0;
    if (reader->failed || (uint64_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return 0;
    }
    memcpy(&value, reader->at, size);
    reader->at += size;
    return value;
}

static inline int64_t gp_dwarf_signed(gp_dwarf_reader *reader, unsigned size) {
    unsigned unused = 64 - size * 8;
    return (int64_t)(gp_dwarf_fixed(reader, size) << unused) >> unused;
}

static inline uint64_t gp_dwarf_uleb(gp_dwarf_reader *reader) {
    uint64_t value = 0;
    for (unsigned shift = 0; !reader->failed; shift += 7) {
        uint64_t byte = gp_dwarf_fixed(reader, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

static inline int64_t gp_dwarf_sleb(gp_dwarf_reader *reader) {
    uint64_t value = 0;
    unsigned shift = 0;
    while (!reader->failed) {
        uint64_t byte = gp_dwarf_fixed(reader, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        if ((byte & 0x40) && shift < 64)
            value |= ~(uint64_t)0 << shift;
        break;
    }
    return (int64_t)value;
}

// DW_EH_PE_*: how a pointer is written.
enum {
    GP_EH_ABSOLUTE = 0x00,
    GP_EH_UDATA2 = 0x02,
    GP_EH_UDATA4 = 0x03,
    GP_EH_UDATA8 = 0x04,
    GP_EH_SDATA2 = 0x0a,
    GP_EH_SDATA4 = 0x0b,
    GP_EH_SDATA8 = 0x0c,
    GP_EH_FORMAT = 0x0f,
    GP_EH_PCREL = 0x10,
    GP_EH_DATAREL = 0x30,
    GP_EH_OMIT = 0xff,
};

// A pointer in the given encoding; `data_base` is what DW_EH_PE_datarel adds. Indirect pointers are not followed.
static inline uintptr_t gp_dwarf_pointer(gp_dwarf_reader *reader, uint8_t encoding, uintptr_t data_base) {
    uintptr_t place = (uintptr_t)reader->at;
    uint64_t value = 0;
    switch (encoding & GP_EH_FORMAT) {
    case GP_EH_ABSOLUTE:
    case GP_EH_UDATA8:
    case GP_EH_SDATA8:
        value = gp_dwarf_fixed(reader, 8);
        break;
    case GP_EH_UDATA2:
        value = gp_dwarf_fixed(reader, 2);
        break;
    case GP_EH_UDATA4:
        value = gp_dwarf_fixed(reader, 4);
        break;
    case GP_EH_SDATA2:
        value = (uint64_t)gp_dwarf_signed(reader, 2);
        break;
    case GP_EH_SDATA4:
        value = (uint64_t)gp_dwarf_signed(reader, 4);
        break;
    default:
        reader->failed = true;
    }
    switch (encoding & 0x70) {
    case 0:
        return value;
    case GP_EH_PCREL:
        return value + place;
    case GP_EH_DATAREL:
        return value + data_base;
    default:
        reader->failed = true;
        return 0;
    }
}
