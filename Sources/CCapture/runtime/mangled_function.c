// Function types, as written in the source and as lowered for a capture.
#include <string.h>

#include "mangled_parser.h"

void gp_parse_function(gp_name_parser *p, gp_swift_type_kind kind) {
    while (gp_parse_pop(p, GP_ITEM_NOTE)) {
    }
    for (unsigned side = 0; side < 2; side++) {
        if (!gp_parse_pop(p, GP_ITEM_EMPTY) && gp_parse_pop_type(p) == NULL) {
            gp_parse_fail(p);
            return;
        }
    }
    gp_parse_push_new(p, kind);
}

// The lowered function type of a capture: everything before it belongs to it, and it ends the name.
void gp_parse_lowered_function(gp_name_parser *p) {
    gp_swift_type_kind kind = GP_SHAPE_FUNCTION;
    while (p->next < p->end && strchr("sIeAdlr", *(const char *)p->next) != NULL) {
        p->next++;
    }
    if (gp_parse_next_is(p, 't')) {
        kind = GP_SHAPE_THIN_FUNCTION;
    } else {
        p->next++;
        if (p->next < p->end && strchr("zC", *(const char *)p->next) != NULL) {
            kind = GP_SHAPE_UNKNOWN;
        }
    }
    p->next = p->end;
    p->depth = 0;
    gp_parse_push_new(p, kind);
}

void gp_parse_annotation(gp_name_parser *p) {
    uint8_t letter = gp_parse_byte(p);
    switch (letter) {
    case 'c':  // global actor
    case 'K':  // typed throws
        gp_parse_pop_type(p);
        gp_parse_push(p, GP_ITEM_NOTE, NULL, NULL);
        break;
    case 'a':
    case 'b':
    case 'A':
    case 'T':
    case 'C':
        gp_parse_push(p, GP_ITEM_NOTE, NULL, NULL);
        break;
    case 'j':
        gp_parse_byte(p);
        gp_parse_push(p, GP_ITEM_NOTE, NULL, NULL);
        break;
    case 'i':
    case 'u':
    case 'k':
    case 't':
        break;  // marks a parameter that is already on the stack
    default:
        gp_parse_fail(p);
    }
}
