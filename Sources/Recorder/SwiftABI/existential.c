// The shapes of `any P<T>`.
#include "existential.h"
#include "images.h"
#include "word.h"

enum { HEADER = 16, PARAMETERS = 8, REQUIREMENTS = 10, REQUIREMENT = 12, PROTOCOL = 8, MOST = 64 };

static bool is_conformance(const gp_existential_shape *shape, uint32_t index) {
    enum { KIND = 0x1f };
    return (gp_u32_at(shape->requirements + index * REQUIREMENT) & KIND) == 0;
}

bool gp_existential_shape_at(uintptr_t address, gp_existential_shape *shape) {
    enum { FORM = 0xff, HAS_OTHER_SIGNATURE = 0x100, HAS_TYPE = 0x200, HAS_WITNESSES = 0x400, BYTES = 24 };
    enum { IMPLIES_PARAMETERS = 0x800, IMPLIES_OTHER_PARAMETERS = 0x1000, HAS_PACKS = 0x2000, CLASS_FORM = 1 };
    if (address % 4 != 0 || !gp_address_is_readable_image(address, BYTES))
        return false;
    uint32_t flags = gp_u32_at(address), form = flags & FORM;
    uintptr_t at = address + HEADER;
    uint32_t parameters = (flags & IMPLIES_PARAMETERS) != 0 ? 0 : gp_u16_at(address + PARAMETERS);
    *shape = (gp_existential_shape){.count = gp_u16_at(address + REQUIREMENTS)};
    if ((flags & HAS_OTHER_SIGNATURE) != 0) {
        shape->arguments = gp_u16_at(at);
        parameters += (flags & IMPLIES_OTHER_PARAMETERS) != 0 ? 0 : shape->arguments;
        at += 8;
    }
    at += ((flags & HAS_TYPE) != 0 ? 4 : 0) + ((flags & HAS_WITNESSES) != 0 ? 4 : 0);
    shape->requirements = (at + parameters + 3) & ~(uintptr_t)3;
    if (form > CLASS_FORM || (flags & HAS_PACKS) != 0 || shape->count > MOST ||
        !gp_address_is_readable_image(shape->requirements, shape->count * REQUIREMENT))
        return false;
    return true;
}

uintptr_t gp_existential_protocol(const gp_existential_shape *shape, uint32_t index) {
    enum { IS_INDIRECT = 1, IS_OBJECTIVE_C = 2 };
    uintptr_t reference = shape->requirements + index * REQUIREMENT + PROTOCOL;
    int32_t offset = (int32_t)gp_u32_at(reference);
    if (!is_conformance(shape, index) || offset == 0 || (offset & IS_OBJECTIVE_C) != 0)
        return 0;
    uintptr_t target = reference + (intptr_t)(offset & ~3);
    if ((offset & IS_INDIRECT) != 0)
        target = gp_address_is_readable_image(target, 8) ? gp_word_at(target) : 0;
    return gp_address_is_readable_image(target, 16) ? target : 0;
}
