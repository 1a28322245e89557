// Field descriptors: names and mangled types of stored properties and enum cases.
#include <string.h>

#include "arena.h"
#include "context_descriptor.h"
#include "images.h"
#include "metadata.h"
#include "type_layout.h"

enum {
    FIELDS = 16,
    RECORD_SIZE = 10,
    COUNT = 12,
    RECORDS = 16,
    CASE_IS_INDIRECT = 1,
    PROPERTY_IS_VAR = 2,
    MOST_FIELDS = 4096,
    SUPERCLASSES_MOST = 32
};

static uintptr_t field_descriptor(uintptr_t descriptor) {
    uintptr_t fields = gp_relative_at(descriptor + FIELDS);
    return fields != 0 && gp_address_is_readable_image(fields, RECORDS) && gp_u16_at(fields + RECORD_SIZE) == 12
               ? fields
               : 0;
}

uint32_t gp_field_count(uintptr_t descriptor) {
    uintptr_t fields = field_descriptor(descriptor);
    uint32_t count = fields == 0 ? 0 : gp_u32_at(fields + COUNT);
    return count <= MOST_FIELDS ? count : 0;
}

bool gp_field_is_parameter(uintptr_t descriptor, const gp_field *field) {
    const char *name = (const char *)field->type_name;
    size_t length = name == NULL ? 0 : strlen(name);
    while (length > 2 && memcmp(name + length - 2, "Sg", 2) == 0)
        length -= 2;
    if (length > 2 && memcmp(name + length - 2, "Qz", 2) == 0)
        return true;
    return length > 0 && (name[0] == 'q' ? name[length - 1] == '_' : name[0] == 'x' && length == 1) &&
           !gp_context_requires_class(descriptor, name, length);
}

bool gp_field_at(uintptr_t descriptor, uint32_t index, gp_field *field) {
    uintptr_t fields = field_descriptor(descriptor);
    if (fields == 0 || index >= gp_u32_at(fields + COUNT))
        return false;
    uintptr_t record = fields + RECORDS + 12 * (uintptr_t)index;
    uintptr_t name = gp_relative_at(record + 8);
    *field = (gp_field){
        .index = index,
        .indirect = (gp_u32_at(record) & CASE_IS_INDIRECT) != 0,
        .constant = (gp_u32_at(record) & PROPERTY_IS_VAR) == 0,
        .type_name = gp_relative_at(record + 4),
        .name = name == 0 ? "" : (const char *)name,
    };
    return true;
}

static bool is_plain(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80);
        if (!is_letter && (!is_digit || i == 0))
            return false;
    }
    return length > 0;
}

// In backticks where a source cannot have the name without.
static const char *quoted(const char *name, size_t length) {
    char *copy = is_plain(name, length) ? NULL : gp_arena_allocate(length + 3);
    if (!copy)
        return name;
    memcpy(copy + 1, name, length);
    copy[0] = copy[length + 1] = '`';
    copy[length + 2] = 0;
    return copy;
}

const char *gp_source_name(const char *name, bool observable) {
    static const char lazy[] = "$__lazy_storage_$_";
    // The compiler puts no backticks around what it makes of a raw identifier here.
    if (strncmp(name, lazy, sizeof lazy - 1) == 0)
        return quoted(name + sizeof lazy - 1, strlen(name + sizeof lazy - 1));
    const bool is_raw = name[0] == '`';
    const char *plain = name + is_raw;
    if (!observable || plain[0] != '_' || plain[1] == '$')
        return name;
    return quoted(plain + 1, strlen(plain + 1) - is_raw);
}

// The property of one class in the chain that begins nearest before `offset`. `begin`: where the best one begins.
static const char *nearest(uintptr_t metadata, uint32_t offset, const char *best, uint32_t *begin) {
    const uintptr_t descriptor = gp_metadata_descriptor(metadata), offsets = gp_class_field_offsets(descriptor);
    const uint32_t count = gp_field_count(descriptor);
    if (!offsets || count != gp_u32_at(descriptor + GP_CLASS_FIELD_COUNT))
        return best;
    for (uint32_t i = 0; i < count; i++) {
        gp_field field;
        uintptr_t start = gp_word_at(metadata + offsets + 8 * (uintptr_t)i);
        if (start > offset || start < *begin || !gp_field_at(descriptor, i, &field) ||
            !gp_address_is_readable_image((uintptr_t)field.name, 1))
            continue;
        *begin = (uint32_t)start;
        best = field.name;
    }
    return best;
}

const char *gp_field_name(uintptr_t metadata, uint32_t offset) {
    const char *best = NULL;
    uint32_t begin = GP_OBJECT_HEADER;
    for (int depth = 0; depth < SUPERCLASSES_MOST; depth++) {
        if (!gp_metadata_is_readable(metadata) || !gp_metadata_is_class(metadata))
            break;
        if (depth == 0 && offset >= gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE))
            break;
        best = nearest(metadata, offset, best, &begin);
        metadata = gp_word_at(metadata + GP_CLASS_SUPERCLASS);
    }
    return best;
}
