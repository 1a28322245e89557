// Generic parameters, replaced by the arguments of the environment.
#include <string.h>

#include "mangled_parser.h"

bool gp_parse_generic_parameter(gp_name_parser *p, unsigned depth, unsigned index) {
    const gp_generic_environment *e = p->environment;
    const gp_swift_type *type = &gp_unknown_type;
    if (e != NULL && depth < e->depth_count) {
        unsigned flat = index + (depth > 0 ? e->depths[depth - 1] : 0);
        if (flat < e->depths[depth] && flat < e->count && e->arguments[flat] != NULL)
            type = e->arguments[flat];
    }
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

bool gp_parse_parameter_by_index(gp_name_parser *p) {
    if (gp_parse_next_is(p, 'd')) {
        unsigned depth = gp_parse_index(p) + 1;
        return gp_parse_generic_parameter(p, depth, gp_parse_index(p));
    }
    return gp_parse_generic_parameter(p, 0, gp_parse_next_is(p, 'z') ? 0 : gp_parse_index(p) + 1);
}

static void skip_parameter_index(gp_name_parser *p) {
    if (gp_parse_next_is(p, 'd')) {
        gp_parse_index(p);
        gp_parse_index(p);
    } else if (!gp_parse_next_is(p, 'z')) {
        gp_parse_index(p);
    }
}

bool gp_parse_requirement(gp_name_parser *p) {
    switch (gp_parse_byte(p)) {
    case 'i':  // lacks Copyable or Escapable
        gp_parse_index(p);
        skip_parameter_index(p);
        return true;
    case 'l':  // a layout of one letter: class, native class, trivial …
        skip_parameter_index(p);
        return strchr("URNCDTB", gp_parse_byte(p)) != NULL || gp_parse_fail(p);
    default:
        return gp_parse_fail(p);
    }
}

bool gp_parse_parameter_counts(gp_name_parser *p) {
    while (!p->failed && !gp_parse_next_is(p, 'l'))
        skip_parameter_index(p);
    return true;
}

// `repeat each T`: how many types it stands for is not known here.
static bool pack_expansion(gp_name_parser *p) {
    if (gp_parse_pop_type(p) == NULL || gp_parse_pop_type(p) == NULL)
        return gp_parse_fail(p);
    return gp_parse_push(p, GP_ITEM_TYPE, &gp_unknown_type, NULL);
}

// An associated type: only the runtime could say which. Or the expansion of a pack.
bool gp_parse_dependent_member(gp_name_parser *p) {
    uint8_t letter = gp_parse_byte(p);
    if (letter == 'p')
        return pack_expansion(p);
    if (letter == 'y')
        gp_parse_index(p);
    else if (letter != 'z')
        return gp_parse_fail(p);
    gp_parse_pop_type(p);
    if (!gp_parse_pop(p, GP_ITEM_IDENTIFIER))
        return gp_parse_fail(p);
    return gp_parse_push(p, GP_ITEM_TYPE, &gp_unknown_type, NULL) && gp_parse_remember(p);
}
