// Protocol compositions and what is made of them: `any P & Q`, `AnyObject`, metatypes of existentials.
#include <string.h>

#include "images.h"
#include "mangled_parser.h"
#include "word.h"

static bool add_protocol(gp_name_parser *p, gp_swift_type *existential) {
    const gp_swift_type *protocol = gp_parse_pop_type(p);
    if (protocol != NULL) {
        existential->class_bound |= protocol->class_bound;
        existential->is_error |= protocol->is_error;
        existential->witnesses = (uint8_t)(existential->witnesses + protocol->witnesses);
        return protocol->kind == GP_SHAPE_PROTOCOL;
    }
    const char *name = gp_parse_pop(p, GP_ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
    if (name == NULL || p->depth == 0) {
        return false;
    }
    gp_name_item around = p->stack[--p->depth];
    bool standard = around.kind == GP_ITEM_MODULE && strcmp(around.text, "Swift") == 0;
    if (standard && strcmp(name, "Error") == 0) {
        existential->is_error = true;
    }
    // Marker protocols have no witness table; whether another is class-bound its name alone does not say.
    bool marker = standard && (strcmp(name, "Sendable") == 0 || strcmp(name, "Copyable") == 0 ||
                               strcmp(name, "Escapable") == 0 || strcmp(name, "BitwiseCopyable") == 0);
    existential->witnesses = (uint8_t)(existential->witnesses + !marker);
    return standard;
}

gp_swift_type *gp_parse_protocols(gp_name_parser *p) {
    gp_swift_type *existential = gp_parse_new_type(p, GP_SHAPE_EXISTENTIAL, 0);
    if (existential == NULL || gp_parse_pop(p, GP_ITEM_EMPTY)) {
        return existential;
    }
    unsigned count = 0;
    bool first;
    do {
        first = gp_parse_pop(p, GP_ITEM_FIRST);
        if (!add_protocol(p, existential)) {
            gp_parse_fail(p);
            return NULL;
        }
        count++;
    } while (!first);
    existential->is_error &= count == 1;
    return existential;
}

void gp_parse_existential_metatype(gp_name_parser *p) {
    const gp_swift_type *existential = gp_parse_pop_type(p);
    gp_swift_type *type = existential == NULL ? NULL : gp_parse_new_type(p, GP_SHAPE_EXISTENTIAL_METATYPE, 0);
    if (type == NULL || existential->kind != GP_SHAPE_EXISTENTIAL) {
        gp_parse_fail(p);
        return;
    }
    type->witnesses = existential->witnesses;
    gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

void gp_parse_class_existential(gp_name_parser *p, bool with_superclass) {
    if (with_superclass && gp_parse_pop_type(p) == NULL) {
        gp_parse_fail(p);
        return;
    }
    gp_swift_type *existential = gp_parse_protocols(p);
    if (existential != NULL) {
        existential->class_bound = true;
        gp_parse_push(p, GP_ITEM_TYPE, existential, NULL);
    }
}

// The number of protocols with a witness table in the requirements of an extended existential shape, −1: not known.
static int witnesses_of_shape(uintptr_t shape) {
    enum { HEADER = 16, PARAMETERS = 8, REQUIREMENTS = 10, REQUIREMENT = 12, MOST = 64 };
    enum { HAS_OTHER_SIGNATURE = 0x100, HAS_TYPE = 0x200, HAS_WITNESSES = 0x400 };
    enum { IMPLIES_PARAMETERS = 0x800, IMPLIES_OTHER_PARAMETERS = 0x1000, HAS_PACKS = 0x2000, KIND = 0x1f };
    uint32_t flags = gp_u32_at(shape), count = gp_u16_at(shape + REQUIREMENTS);
    uintptr_t at = shape + HEADER;
    uint32_t parameters = (flags & IMPLIES_PARAMETERS) != 0 ? 0 : gp_u16_at(shape + PARAMETERS);
    if ((flags & HAS_OTHER_SIGNATURE) != 0) {
        parameters += (flags & IMPLIES_OTHER_PARAMETERS) != 0 ? 0 : gp_u16_at(at);
        at += 8;
    }
    at += ((flags & HAS_TYPE) != 0 ? 4 : 0) + ((flags & HAS_WITNESSES) != 0 ? 4 : 0);
    at = gp_align_up(at + parameters, 4);
    if ((flags & HAS_PACKS) != 0 || count > MOST || !gp_address_is_readable_image(at, count * REQUIREMENT)) {
        return -1;
    }
    int witnesses = 0;
    for (uint32_t i = 0; i < count; i++) {
        witnesses += (gp_u32_at(at + i * REQUIREMENT) & KIND) == 0;
    }
    return witnesses;
}

void gp_parse_existential_shape(gp_name_parser *p, uintptr_t shape) {
    enum { SPECIAL = 0xff, OPAQUE = 0, CLASS = 1, BYTES = 24 };
    bool readable = shape % 4 == 0 && gp_address_is_readable_image(shape, BYTES);
    uint32_t special = readable ? gp_u32_at(shape) & SPECIAL : SPECIAL;
    int witnesses = special == OPAQUE || special == CLASS ? witnesses_of_shape(shape) : -1;
    gp_swift_type *existential = witnesses < 0 ? NULL : gp_parse_new_type(p, GP_SHAPE_EXISTENTIAL, 0);
    if (existential == NULL) {
        gp_parse_fail(p);
        return;
    }
    existential->class_bound = special == CLASS;
    existential->witnesses = (uint8_t)witnesses;
    gp_parse_push(p, GP_ITEM_SHAPE, existential, NULL);
}

void gp_parse_extended_existential(gp_name_parser *p) {
    while (gp_parse_pop_type(p) != NULL) {
    }
    if (gp_parse_pop(p, GP_ITEM_SHAPE)) {
        gp_parse_push(p, GP_ITEM_TYPE, p->stack[p->depth].type, NULL);
    } else {
        gp_parse_fail(p);
    }
}
