#include "eh_frame.h"

#include <stddef.h>

static bool read_common(uintptr_t entry, uintptr_t image_end, gp_frame_description *description, bool *augmented) {
    gp_dwarf_reader reader = {(const uint8_t *)entry, (const uint8_t *)image_end, false};
    uint64_t length = gp_dwarf_fixed(&reader, 4);
    if (length == 0 || length >= 0xfffffff0 || length > (uint64_t)(reader.end - reader.at))
        return false;
    reader.end = reader.at + length;
    if (gp_dwarf_fixed(&reader, 4) != 0)
        return false;
    uint64_t version = gp_dwarf_fixed(&reader, 1);
    if (version != 1 && version != 3)
        return false;
    const char *augmentation = (const char *)reader.at;
    while (gp_dwarf_fixed(&reader, 1) != 0) {
    }
    description->code_alignment = gp_dwarf_uleb(&reader);
    description->data_alignment = gp_dwarf_sleb(&reader);
    description->return_register = version == 1 ? gp_dwarf_fixed(&reader, 1) : gp_dwarf_uleb(&reader);
    description->pointer_encoding = GP_EH_ABSOLUTE;
    description->signal_frame = false;
    *augmented = augmentation[0] == 'z';
    if (!*augmented && augmentation[0] != 0)
        return false;
    if (*augmented) {
        uint64_t size = gp_dwarf_uleb(&reader);
        const uint8_t *instructions = reader.at + size;
        if (reader.failed || size > (uint64_t)(reader.end - reader.at))
            return false;
        for (const char *letter = augmentation + 1; *letter; letter++) {
            switch (*letter) {
            case 'R':
                description->pointer_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
                break;
            case 'L':
                gp_dwarf_fixed(&reader, 1);
                break;
            case 'P': {
                uint8_t encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
                gp_dwarf_pointer(&reader, encoding & 0x7f, 0);
                break;
            }
            case 'S':
                description->signal_frame = true;
                break;
            default:
                break;
            }
        }
        reader.at = instructions;
    }
    description->initial = reader;
    return !reader.failed;
}

static bool read_function(uintptr_t entry, uintptr_t image_end, uintptr_t pc, gp_frame_description *description) {
    gp_dwarf_reader reader = {(const uint8_t *)entry, (const uint8_t *)image_end, false};
    uint64_t length = gp_dwarf_fixed(&reader, 4);
    if (length == 0 || length >= 0xfffffff0 || length > (uint64_t)(reader.end - reader.at))
        return false;
    reader.end = reader.at + length;
    uintptr_t place = (uintptr_t)reader.at;
    uint64_t distance = gp_dwarf_fixed(&reader, 4);
    bool augmented;
    if (distance == 0 || !read_common(place - distance, image_end, description, &augmented))
        return false;
    description->start = gp_dwarf_pointer(&reader, description->pointer_encoding, 0);
    description->end = description->start + gp_dwarf_pointer(&reader, description->pointer_encoding & GP_EH_FORMAT, 0);
    if (augmented) {
        uint64_t size = gp_dwarf_uleb(&reader);
        if (size > (uint64_t)(reader.end - reader.at))
            return false;
        reader.at += size;
    }
    description->program = reader;
    return !reader.failed && pc >= description->start && pc < description->end;
}

// Without a search table: every entry of .eh_frame, up to the terminating zero length.
static bool search_all(uintptr_t section, uintptr_t image_end, uintptr_t pc, gp_frame_description *description) {
    gp_dwarf_reader reader = {(const uint8_t *)section, (const uint8_t *)image_end, false};
    for (;;) {
        uintptr_t entry = (uintptr_t)reader.at;
        uint64_t length = gp_dwarf_fixed(&reader, 4);
        if (length == 0 || length >= 0xfffffff0 || length > (uint64_t)(reader.end - reader.at))
            return false;
        if (read_function(entry, image_end, pc, description))
            return true;
        reader.at = (const uint8_t *)entry + 4 + length;
    }
}

bool gp_eh_frame_find(uintptr_t header, uintptr_t image_end, uintptr_t pc, gp_frame_description *description) {
    gp_dwarf_reader reader = {(const uint8_t *)header, (const uint8_t *)image_end, false};
    if (gp_dwarf_fixed(&reader, 1) != 1)
        return false;
    uint8_t section_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
    uint8_t count_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
    uint8_t table_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
    uintptr_t section = gp_dwarf_pointer(&reader, section_encoding, header);
    if (count_encoding == GP_EH_OMIT || table_encoding != (GP_EH_DATAREL | GP_EH_SDATA4))
        return search_all(section, image_end, pc, description);
    uint64_t count = gp_dwarf_pointer(&reader, count_encoding, header);
    if (reader.failed || count == 0 || count > (uint64_t)(reader.end - reader.at) / 8)
        return false;

    // Rows of (first pc, entry), both relative to the header, in ascending order: the last row at or below pc.
    const uint8_t *table = reader.at;
    int64_t wanted = (int64_t)(pc - header);
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int32_t start;
        memcpy(&start, table + middle * 8, 4);
        if (start <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    int32_t entry;
    memcpy(&entry, table + (low - 1) * 8 + 4, 4);
    return read_function(header + (intptr_t)entry, image_end, pc, description);
}
