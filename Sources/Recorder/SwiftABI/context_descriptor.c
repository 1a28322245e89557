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

const char *gp_context_module(uintptr_t descriptor) {
    for (unsigned depth = 0; descriptor != 0 && depth < GP_CONTEXT_DEPTH; depth++) {
        if (gp_context_kind(descriptor) == GP_CONTEXT_MODULE)
            return gp_context_name(descriptor);
        descriptor = gp_context_parent(descriptor);
    }
    return NULL;
}

bool gp_context_is(uintptr_t descriptor, const char *module, const char *name) {
    const char *own = gp_context_name(descriptor);
    const char *around = gp_context_module(descriptor);
    return own != NULL && around != NULL && strcmp(own, name) == 0 && strcmp(around, module) == 0;
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

static bool is_class_protocol(uintptr_t descriptor) {
    enum { IS_ANY = 1u << 16 };
    return gp_address_is_readable_image(descriptor, 4) && gp_context_kind(descriptor) == GP_CONTEXT_PROTOCOL &&
           (gp_u32_at(descriptor) & IS_ANY) == 0;
}

bool gp_context_requires_class(uintptr_t descriptor, const char *parameter, size_t length) {
    enum { NAME_OF_PARAMETER = 4, TARGET = 8, KINDS = 0x1f, PROTOCOL = 0, BASE_CLASS = 2, LAYOUT = 0x1f };
    gp_generic_signature signature;
    if (!gp_context_signature(descriptor, &signature))
        return false;
    for (unsigned i = 0; i < signature.requirement_count; i++) {
        uintptr_t requirement = signature.requirements + i * (uintptr_t)REQUIREMENT_BYTES;
        if (!gp_address_is_readable_image(requirement, REQUIREMENT_BYTES))
            return false;
        uintptr_t name = gp_relative_at(requirement + NAME_OF_PARAMETER);
        if (!gp_address_is_readable_image(name, length + 1) || memcmp((const char *)name, parameter, length) != 0 ||
            ((const char *)name)[length] != '\0')
            continue;
        unsigned kind = gp_u32_at(requirement) & KINDS;
        if (kind == BASE_CLASS || (kind == LAYOUT && gp_u32_at(requirement + TARGET) == 0) ||
            (kind == PROTOCOL && is_class_protocol(gp_relative_indirectable_at(requirement + TARGET))))
            return true;
    }
    return false;
}

unsigned gp_context_parameter_depths(uintptr_t descriptor, uint16_t parameters[GP_CONTEXT_DEPTH]) {
    uint16_t reversed[GP_CONTEXT_DEPTH];
    unsigned count = 0;
    for (unsigned depth = 0; descriptor != 0 && depth < GP_CONTEXT_DEPTH; depth++) {
        gp_generic_signature signature;
        // A context that adds no parameters of its own is no depth of its own.
        if (gp_context_signature(descriptor, &signature)) {
            if (count > 0 && reversed[count - 1] == signature.parameters)
                count--;
            reversed[count++] = signature.parameters;
        }
        descriptor = gp_context_parent(descriptor);
    }
    for (unsigned i = 0; i < count; i++)
        parameters[i] = reversed[count - 1 - i];
    return count;
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
