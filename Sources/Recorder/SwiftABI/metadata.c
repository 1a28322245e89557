// Which words are type metadata, and what their first fields say.
#include "arch.h"
#include "metadata.h"

#include "TraceFormat.h"
#include "context_descriptor.h"
#include "images.h"
#include "swift_types.h"

bool gp_metadata_is_readable(uintptr_t metadata) {
    if ((metadata & 7) != 0 || metadata < 65536 || metadata >> GP_USER_BITS != 0)
        return false;
    return gp_address_is_readable_image(metadata - 16, GP_CLASS_BYTES + 16) || gp_metadata_is_in_slab(metadata);
}

bool gp_metadata_is_class(uintptr_t metadata) {
    uint16_t mask = gp_u16_at(metadata + GP_CLASS_ALIGNMENT_MASK);
    uint32_t instance = gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE);
    if (gp_word_at(metadata) != GP_KIND_CLASS || gp_u32_at(metadata + GP_CLASS_ADDRESS_POINT) < 16 ||
        gp_u32_at(metadata + GP_CLASS_ADDRESS_POINT) % 8 != 0 || gp_u32_at(metadata + GP_CLASS_RESERVED) != 0 ||
        (mask != 7 && mask != 15 && mask != 31 && mask != 63) || instance < GP_OBJECT_HEADER)
        return false;
    uintptr_t descriptor = gp_word_at(metadata + GP_CLASS_DESCRIPTOR);
    return (descriptor & 3) == 0 && gp_address_is_readable_image(descriptor, GP_CLASS_DESCRIPTOR_BYTES) &&
           gp_context_kind(descriptor) == GP_CONTEXT_CLASS;
}

uintptr_t gp_metadata_descriptor(uintptr_t metadata) {
    switch (gp_metadata_kind(metadata)) {
    case GP_KIND_CLASS:
        return gp_word_at(metadata + GP_CLASS_DESCRIPTOR);
    case GP_KIND_STRUCT:
    case GP_KIND_ENUM:
    case GP_KIND_OPTIONAL:
    case GP_KIND_FOREIGN_CLASS:
    case GP_KIND_FOREIGN_REFERENCE:
        return gp_word_at(metadata + 8);
    default:
        return 0;
    }
}

uintptr_t gp_metadata_arguments(uintptr_t metadata) {
    uintptr_t descriptor = gp_metadata_descriptor(metadata);
    if (descriptor == 0 || !gp_context_is_generic(descriptor))
        return 0;
    switch (gp_metadata_kind(metadata)) {
    case GP_KIND_CLASS:
        return metadata + gp_class_arguments_offset(descriptor);
    case GP_KIND_STRUCT:
    case GP_KIND_ENUM:
    case GP_KIND_OPTIONAL:
        return metadata + 16;
    default:
        return 0;
    }
}

// Kinds 0x400 and above: the destroyer stands in the word before the value witness table.
static bool has_destroyer(uintptr_t metadata) {
    return gp_address_is_executable(gp_word_at(metadata - 16));
}

// The same for kinds whose metadata the compiler emits: never in memory that was allocated.
static bool is_static(uintptr_t metadata) {
    return gp_address_is_readable_image(metadata - 16, 40) && has_destroyer(metadata);
}

static bool is_local(uintptr_t metadata) {
    uint32_t offset = gp_u32_at(metadata + 8);
    uintptr_t captures = gp_word_at(metadata + 16);
    return offset % 4 == 0 && offset < 65536 && is_static(metadata) &&
           (captures == 0 || gp_address_is_readable_image(captures, 12));
}

static bool is_generic_box(uintptr_t metadata) {
    uint32_t offset = gp_u32_at(metadata + 8);
    return offset >= GP_OBJECT_HEADER && offset < 65536 && has_destroyer(metadata) &&
           gp_metadata_is_readable(gp_word_at(metadata + 16));
}

int gp_type_kind(uintptr_t word, size_t size) {
    if (size < GP_OBJECT_HEADER || !gp_metadata_is_readable(word))
        return -1;
    switch (gp_metadata_kind(word)) {
    case GP_KIND_CLASS:
        if (!gp_metadata_is_class(word) || gp_u32_at(word + GP_CLASS_INSTANCE_SIZE) > size)
            return -1;
        return GP_TYPE_CLASS;
    case GP_KIND_LOCAL:
        return is_local(word) ? GP_TYPE_LOCAL : -1;
    case GP_KIND_GENERIC_BOX:
        return is_generic_box(word) ? GP_TYPE_GENERIC_BOX : -1;
    case GP_KIND_ERROR:
        return is_static(word) ? GP_TYPE_ERROR : -1;
    case GP_KIND_TASK:
        return is_static(word) ? GP_TYPE_TASK : -1;
    case GP_KIND_JOB:
        return is_static(word) ? GP_TYPE_JOB : -1;
    default:
        return -1;
    }
}
