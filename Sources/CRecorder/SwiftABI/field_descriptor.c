// Field descriptors: names and mangled types of stored properties and enum cases.
#include <string.h>

#include "context_descriptor.h"
#include "images.h"
#include "type_layout.h"

enum { FIELDS = 16, RECORD_SIZE = 10, COUNT = 12, RECORDS = 16, CASE_IS_INDIRECT = 1, MOST_FIELDS = 4096 };

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

bool gp_field_is_parameter(const gp_field *field) {
    const char *name = (const char *)field->type_name;
    size_t length = name == NULL ? 0 : strlen(name);
    while (length > 2 && memcmp(name + length - 2, "Sg", 2) == 0) {
        length -= 2;
    }
    if (length > 2 && memcmp(name + length - 2, "Qz", 2) == 0) {
        return true;
    }
    return length > 0 && (name[0] == 'q' ? name[length - 1] == '_' : name[0] == 'x' && length == 1);
}

bool gp_field_at(uintptr_t descriptor, uint32_t index, gp_field *field) {
    uintptr_t fields = field_descriptor(descriptor);
    if (fields == 0 || index >= gp_u32_at(fields + COUNT)) {
        return false;
    }
    uintptr_t record = fields + RECORDS + 12 * (uintptr_t)index;
    uintptr_t name = gp_relative_at(record + 8);
    *field = (gp_field){
        .index = index,
        .indirect = (gp_u32_at(record) & CASE_IS_INDIRECT) != 0,
        .type_name = gp_relative_at(record + 4),
        .name = name == 0 ? "" : (const char *)name,
    };
    return true;
}
