// Protocol compositions and what is made of them: `any P & Q`, `AnyObject`, metatypes of existentials.
#include <string.h>

#include "existential.h"
#include "mangled_parser.h"

static bool add_protocol(gp_name_parser *p, gp_swift_type *existential) {
    const gp_swift_type *protocol = gp_parse_pop_type(p);
    if (protocol != NULL) {
        existential->class_bound |= protocol->class_bound;
        existential->is_error |= protocol->is_error;
        existential->witnesses = (uint8_t)(existential->witnesses + protocol->witnesses);
        return protocol->kind == GP_SHAPE_PROTOCOL;
    }
    const char *name = gp_parse_pop(p, GP_ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
    if (name == NULL || p->depth == 0)
        return false;
    gp_name_item around = p->stack[--p->depth];
    bool standard = around.kind == GP_ITEM_MODULE && strcmp(around.text, "Swift") == 0;
    if (standard && strcmp(name, "Error") == 0)
        existential->is_error = true;
    // Marker protocols have no witness table; whether another is class-bound its name alone does not say.
    bool marker = standard && (strcmp(name, "Sendable") == 0 || strcmp(name, "Copyable") == 0 ||
                               strcmp(name, "Escapable") == 0 || strcmp(name, "BitwiseCopyable") == 0);
    existential->witnesses = (uint8_t)(existential->witnesses + !marker);
    return standard;
}

gp_swift_type *gp_parse_protocols(gp_name_parser *p) {
    gp_swift_type *existential = gp_parse_new_type(p, GP_SHAPE_EXISTENTIAL, 0);
    if (existential == NULL || gp_parse_pop(p, GP_ITEM_EMPTY))
        return existential;
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

bool gp_parse_existential_metatype(gp_name_parser *p) {
    const gp_swift_type *existential = gp_parse_pop_type(p);
    gp_swift_type *type = existential == NULL ? NULL : gp_parse_new_type(p, GP_SHAPE_EXISTENTIAL_METATYPE, 0);
    if (type == NULL || existential->kind != GP_SHAPE_EXISTENTIAL)
        return gp_parse_fail(p);
    type->witnesses = existential->witnesses;
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

bool gp_parse_class_existential(gp_name_parser *p, bool with_superclass) {
    if (with_superclass && gp_parse_pop_type(p) == NULL)
        return gp_parse_fail(p);
    gp_swift_type *existential = gp_parse_protocols(p);
    if (existential == NULL)
        return false;
    existential->class_bound = true;
    return gp_parse_push(p, GP_ITEM_TYPE, existential, NULL);
}

bool gp_parse_existential_shape(gp_name_parser *p, uintptr_t address) {
    gp_existential_shape shape;
    gp_swift_type *existential =
        gp_existential_shape_at(address, &shape) ? gp_parse_new_type(p, GP_SHAPE_EXISTENTIAL, 0) : NULL;
    if (existential == NULL)
        return gp_parse_fail(p);
    existential->class_bound = shape.form == GP_EXISTENTIAL_CLASS;
    existential->witnesses = (uint8_t)shape.witnesses;
    return gp_parse_push(p, GP_ITEM_SHAPE, existential, NULL);
}

bool gp_parse_extended_existential(gp_name_parser *p) {
    while (gp_parse_pop_type(p) != NULL) {
    }
    if (gp_parse_pop(p, GP_ITEM_SHAPE))
        return gp_parse_push(p, GP_ITEM_TYPE, p->stack[p->depth].type, NULL);
    return gp_parse_fail(p);
}
