// Walking context descriptors.
#include "context_descriptor.h"

#include <string.h>

#include "images.h"

enum {
    NAME = 8,
    CLASS_RESILIENT_BOUNDS = 24,
    CLASS_POSITIVE_WORDS = 28,
    CLASS_IMMEDIATE_MEMBERS = 32,
    CLASS_FIELD_OFFSETS = 40,
    TYPE_GENERIC_HEADER_OF_CLASS = 44,
    TYPE_GENERIC_HEADER_OF_VALUE = 28,
    HAS_RESILIENT_SUPERCLASS = 1u << 29,
    REQUIREMENT_BYTES = 12,
};

uintptr_t gp_context_parent(uintptr_t descriptor) {
    uintptr_t parent = gp_relative_indirectable_at(descriptor + 4);
    return parent != 0 && (parent & 3) == 0 && gp_address_is_readable_image(parent, 12) ? parent : 0;
}

const char *gp_context_name(uintptr_t descriptor) {
    unsigned kind = gp_context_kind(descriptor);
    if (kind != GP_CONTEXT_MODULE && kind != GP_CONTEXT_PROTOCOL && !gp_context_is_type(descriptor))
        return NULL;
    uintptr_t name = gp_relative_at(descriptor + NAME);
    return name != 0 && gp_address_is_readable_image(name, 1) ? (const char *)name : NULL;
}

uintptr_t gp_extended_type(uintptr_t extension) {
    uintptr_t name = gp_relative_at(extension + 8);
    if (name == 0 || !gp_address_is_readable_image(name, 5))
        return 0;
    uint8_t kind = *(const uint8_t *)name;
    if (kind != 1 && kind != 2)
        return 0;
    uintptr_t target = gp_relative_at(name + 1);
    return kind == 2 && target != 0 ? gp_word_at(target) : target;
}

// Behind parameters (padded to four bytes) and requirements stands how many packs and shapes there are.
static void read_packs(gp_generic_signature *signature, uintptr_t header) {
    enum { HAS_PACKS = 1, PLACE_BYTES = 8 };
    uintptr_t packs = signature->requirements + signature->requirement_count * (uintptr_t)REQUIREMENT_BYTES;
    signature->lengths = signature->packs = 0;
    if ((gp_u16_at(header + 6) & HAS_PACKS) == 0 || !gp_address_is_readable_image(packs, 4))
        return;
    signature->lengths = gp_u16_at(packs + 2);
    signature->pack_places = packs + 4;
    if (gp_address_is_readable_image(packs + 4, gp_u16_at(packs) * (uintptr_t)PLACE_BYTES))
        signature->packs = gp_u16_at(packs);
}

int gp_pack_length_slot(const gp_generic_signature *signature, unsigned slot) {
    for (unsigned i = 0; i < signature->packs; i++) {
        uintptr_t place = signature->pack_places + 8 * i;
        if (gp_u16_at(place) == 0 && gp_u16_at(place + 2) == slot)
            return gp_u16_at(place + 4);
    }
    return -1;
}

bool gp_context_signature(uintptr_t descriptor, gp_generic_signature *signature) {
    if (!gp_context_is_generic(descriptor))
        return false;
    unsigned kind = gp_context_kind(descriptor);
    uintptr_t header;
    if (kind == GP_CONTEXT_EXTENSION) {
        header = descriptor + 12;
    } else if (gp_context_is_type(descriptor)) {
        header =
            descriptor + 8 + (kind == GP_CONTEXT_CLASS ? TYPE_GENERIC_HEADER_OF_CLASS : TYPE_GENERIC_HEADER_OF_VALUE);
    } else if (kind == GP_CONTEXT_ANONYMOUS) {
        header = descriptor + 8;
    } else {
        return false;
    }
    if (!gp_address_is_readable_image(header, 8))
        return false;
    signature->parameters = gp_u16_at(header);
    signature->arguments = gp_u16_at(header + 4);
    signature->kinds = header + 8;
    signature->requirement_count = gp_u16_at(header + 2);
    signature->requirements = header + 8 + ((signature->parameters + 3u) & ~3u);
    read_packs(signature, header);
    return gp_address_is_readable_image(signature->kinds, signature->parameters);
}

static bool has_resilient_superclass(uintptr_t descriptor) {
    return (gp_u32_at(descriptor) & HAS_RESILIENT_SUPERCLASS) != 0;
}

// With a resilient superclass the runtime computed at start where the class's own members begin.
static uintptr_t resilient_members(uintptr_t descriptor) {
    uintptr_t bounds = gp_relative_at(descriptor + CLASS_RESILIENT_BOUNDS);
    return bounds == 0 ? 0 : gp_word_at(bounds);
}

uintptr_t gp_class_arguments_offset(uintptr_t descriptor) {
    if (has_resilient_superclass(descriptor))
        return resilient_members(descriptor);
    return 8 *
           ((uintptr_t)gp_u32_at(descriptor + CLASS_POSITIVE_WORDS) - gp_u32_at(descriptor + CLASS_IMMEDIATE_MEMBERS));
}

uintptr_t gp_class_field_offsets(uintptr_t descriptor) {
    uintptr_t vector = gp_u32_at(descriptor + CLASS_FIELD_OFFSETS);
    uint32_t fields = gp_u32_at(descriptor + GP_CLASS_FIELD_COUNT);
    if (fields == 0)
        return 0;
    if (!has_resilient_superclass(descriptor))
        return 8 * vector;
    // It counts from the class's own members: 0 is the first of them, if there is room for the offsets among them.
    uintptr_t members = resilient_members(descriptor);
    return members == 0 || gp_u32_at(descriptor + CLASS_IMMEDIATE_MEMBERS) < vector + fields ? 0 : 8 * vector + members;
}
