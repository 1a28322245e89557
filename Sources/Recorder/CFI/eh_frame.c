#include "eh_frame.h"

#include <stddef.h>

// Reads from `address` to the end of its segment.
static gp_dwarf_reader reader_at(const gp_image_info *image, uintptr_t address) {
    size_t size = gp_image_readable(image, address);
    const uint8_t *at = (const uint8_t *)address;
    return (gp_dwarf_reader){at, at + size, size == 0};
}

// The contents of the entry at `entry`, behind its length; failed: there is none.
static gp_dwarf_reader entry_at(const gp_image_info *image, uintptr_t entry) {
    gp_dwarf_reader reader = reader_at(image, entry);
    uint64_t length = gp_dwarf_fixed(&reader, 4);
    if (length == 0 || length >= 0xfffffff0 || length > (uint64_t)(reader.end - reader.at))
        reader.failed = true;
    else
        reader.end = reader.at + length;
    return reader;
}

static bool read_common(const gp_image_info *image, uintptr_t entry, gp_frame_description *description,
                        bool *augmented) {
    gp_dwarf_reader reader = entry_at(image, entry);
    if (gp_dwarf_fixed(&reader, 4) != 0)
        return false;
    uint64_t version = gp_dwarf_fixed(&reader, 1);
    if (version != 1 && version != 3)
        return false;
    const char *augmentation = (const char *)reader.at;
    while (gp_dwarf_fixed(&reader, 1) != 0) {
    }
    if (reader.failed)
        return false;
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
        if (reader.failed || size > (uint64_t)(reader.end - reader.at))
            return false;
        const uint8_t *instructions = reader.at + size;
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

static bool read_function(const gp_image_info *image, uintptr_t entry, uintptr_t pc,
                          gp_frame_description *description) {
    gp_dwarf_reader reader = entry_at(image, entry);
    uintptr_t place = (uintptr_t)reader.at;
    uint64_t distance = gp_dwarf_fixed(&reader, 4);
    bool augmented;
    if (distance == 0 || !read_common(image, place - distance, description, &augmented))
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
static bool search_all(const gp_image_info *image, uintptr_t section, uintptr_t pc, gp_frame_description *description) {
    for (uintptr_t entry = section;;) {
        gp_dwarf_reader reader = entry_at(image, entry);
        if (reader.failed)
            return false;
        if (read_function(image, entry, pc, description))
            return true;
        entry = (uintptr_t)reader.end;
    }
}

bool gp_eh_frame_find(const gp_image_info *image, uintptr_t pc, gp_frame_description *description) {
    const uintptr_t header = image->eh_frame;
    gp_dwarf_reader reader = reader_at(image, header);
    if (gp_dwarf_fixed(&reader, 1) != 1)
        return false;
    uint8_t section_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
    uint8_t count_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
    uint8_t table_encoding = (uint8_t)gp_dwarf_fixed(&reader, 1);
    uintptr_t section = gp_dwarf_pointer(&reader, section_encoding, header);
    if (reader.failed)
        return false;
    if (count_encoding == GP_EH_OMIT || table_encoding != (GP_EH_DATAREL | GP_EH_SDATA4))
        return search_all(image, section, pc, description);
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
    return read_function(image, header + (uintptr_t)(intptr_t)entry, pc, description);
}
