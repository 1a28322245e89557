// Names of the stored properties of classes.
#include "context_descriptor.h"
#include "images.h"
#include "metadata.h"
#include "swift_types.h"

enum {
    FIELDS = 16,
    RECORD_SIZE = 10,
    COUNT = 12,
    RECORDS = 16,
    RECORD_BYTES = 12,
    RECORD_NAME = 8,
    MOST_FIELDS = 4096
};
enum { SUPERCLASSES_MOST = 32 };

// The field records of a type, 0: none that can be read. `count`: how many.
static uintptr_t records_of(uintptr_t descriptor, uint32_t *count) {
    uintptr_t fields = gp_relative_at(descriptor + FIELDS);
    if (fields == 0 || !gp_address_is_readable_image(fields, RECORDS) ||
        gp_u16_at(fields + RECORD_SIZE) != RECORD_BYTES)
        return 0;
    *count = gp_u32_at(fields + COUNT);
    return *count <= MOST_FIELDS && gp_address_is_readable_image(fields, RECORDS + *count * (uintptr_t)RECORD_BYTES)
               ? fields + RECORDS
               : 0;
}

// The property of one class in the chain that begins nearest before `offset`. `begin`: where the best one begins.
static const char *nearest(uintptr_t metadata, uint32_t offset, const char *best, uint32_t *begin) {
    const uintptr_t descriptor = gp_metadata_descriptor(metadata), offsets = gp_class_field_offsets(descriptor);
    uint32_t count = 0;
    const uintptr_t records = records_of(descriptor, &count);
    if (!offsets || !records || count != gp_u32_at(descriptor + GP_CLASS_FIELD_COUNT))
        return best;
    for (uint32_t i = 0; i < count; i++) {
        const uintptr_t start = gp_word_at(metadata + offsets + 8 * (uintptr_t)i);
        const uintptr_t name = gp_relative_at(records + RECORD_BYTES * (uintptr_t)i + RECORD_NAME);
        if (start > offset || start < *begin || !gp_address_is_readable_image(name, 1))
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
