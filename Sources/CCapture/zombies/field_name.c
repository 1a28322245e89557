#include "field_name.h"

#include <stddef.h>

#include "../runtime/context_descriptor.h"
#include "../runtime/metadata.h"
#include "images.h"

enum {
    CLASS_FIELDS = 16,  // relative address of the field descriptor, in the context descriptor
    CLASS_FIELD_COUNT = 36,
    FIELD_COUNT = 12,  // in the field descriptor
    FIELD_RECORDS = 16,
    FIELD_RECORD_BYTES = 12,
    FIELD_RECORD_NAME = 8,
    SUPERCLASSES_MOST = 32,
};

// The property of one class in the chain that begins nearest before `offset`. `begin`: where the best one begins.
static const char *nearest(uintptr_t metadata, uint32_t offset, const char *best, uint32_t *begin) {
    uintptr_t descriptor = gp_metadata_descriptor(metadata);
    uintptr_t offsets = gp_class_field_offsets(descriptor), fields = gp_relative_at(descriptor + CLASS_FIELDS);
    uint32_t count = gp_u32_at(descriptor + CLASS_FIELD_COUNT);
    if (!offsets || !fields || !gp_address_is_readable_image(fields, FIELD_RECORDS) ||
        gp_u32_at(fields + FIELD_COUNT) != count ||
        !gp_address_is_readable_image(fields, FIELD_RECORDS + (size_t)count * FIELD_RECORD_BYTES))
        return best;
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t start = gp_word_at(metadata + offsets + 8 * (uintptr_t)i);
        if (start > offset || start < *begin)
            continue;
        uintptr_t name = gp_relative_at(fields + FIELD_RECORDS + (uintptr_t)i * FIELD_RECORD_BYTES + FIELD_RECORD_NAME);
        if (!name || !gp_address_is_readable_image(name, 1))
            continue;
        *begin = (uint32_t)start;
        best = (const char *)name;
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
