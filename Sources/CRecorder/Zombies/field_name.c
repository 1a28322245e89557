#include "field_name.h"

#include <stddef.h>

#include "context_descriptor.h"
#include "type_layout.h"
#include "metadata.h"
#include "images.h"

enum { CLASS_FIELD_COUNT = 36, SUPERCLASSES_MOST = 32 };

// The property of one class in the chain that begins nearest before `offset`. `begin`: where the best one begins.
static const char *nearest(uintptr_t metadata, uint32_t offset, const char *best, uint32_t *begin) {
    const uintptr_t descriptor = gp_metadata_descriptor(metadata), offsets = gp_class_field_offsets(descriptor);
    const uint32_t count = gp_field_count(descriptor);
    if (!offsets || count != gp_u32_at(descriptor + CLASS_FIELD_COUNT))
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
