// Function types, as written in the source and as lowered for a capture.
#include <string.h>

#include "mangled_parser.h"

bool gp_parse_function(gp_name_parser *p, gp_swift_type_kind kind) {
    while (gp_parse_pop(p, GP_ITEM_NOTE)) {
    }
    for (unsigned side = 0; side < 2; side++) {
        if (!gp_parse_pop(p, GP_ITEM_EMPTY) && gp_parse_pop_type(p) == NULL)
            return gp_parse_fail(p);
    }
    return gp_parse_push_new(p, kind);
}

static unsigned conventions(gp_name_parser *p, const char *letters, const char *attributes) {
    unsigned count = 0;
    while (p->next < p->end && strchr(letters, *(const char *)p->next) != NULL) {
        p->next++;
        count++;
        while (p->next < p->end && strchr(attributes, *(const char *)p->next) != NULL)
            p->next++;
    }
    return count;
}

static void skip_any(gp_name_parser *p, const char *letters) {
    while (p->next < p->end && strchr(letters, *(const char *)p->next) != NULL)
        p->next++;
}

// I [generic] [escaping, isolation] callee [convention, coroutine, sendable, async] parameter* result* (Y yield)* [z error] _
// Returns how many types in front of it are its own; −1: it says something that is not known here.
static int lowered_types(gp_name_parser *p, gp_swift_type_kind *kind) {
    skip_any(p, "PeAdlr");
    *kind = gp_parse_next_is(p, 't') ? GP_SHAPE_THIN_FUNCTION : GP_SHAPE_FUNCTION;
    if (*kind == GP_SHAPE_FUNCTION && !gp_parse_next_is(p, 'g') && !gp_parse_next_is(p, 'x') &&
        !gp_parse_next_is(p, 'y')) {
        *kind = GP_SHAPE_UNKNOWN;
        return -1;
    }
    if (*kind == GP_SHAPE_FUNCTION && p->next < p->end && strchr("zCB", *(const char *)p->next) != NULL) {
        *kind = GP_SHAPE_UNKNOWN;
        return -1;
    }
    skip_any(p, "CMOKW");
    skip_any(p, "AIG");
    skip_any(p, "hHT");
    unsigned types = conventions(p, "iclbnXxgeyvpm", "wTIL");
    types += conventions(p, "rodualgmk", "w");
    while (gp_parse_next_is(p, 'Y'))
        types += conventions(p, "iclbnXxgeyvpm", "wTIL");
    if (gp_parse_next_is(p, 'z'))
        types += conventions(p, "rodualgmk", "w");
    return gp_parse_next_is(p, '_') ? (int)types : -1;
}

// One that is not understood is known only where it is the whole name, or all but an optional around it, which has the
// same layout.
static bool whole_lowered_function(gp_name_parser *p, gp_swift_type_kind kind) {
    bool optional = p->end - p->begin >= 3 && memcmp((const char *)p->end - 3, "_Sg", 3) == 0;
    if (*(const char *)(p->end - 1) != '_' && !optional)
        return gp_parse_fail(p);
    p->next = p->end;
    p->depth = 0;
    return gp_parse_push_new(p, kind);
}

bool gp_parse_lowered_function(gp_name_parser *p) {
    gp_swift_type_kind kind = GP_SHAPE_UNKNOWN;
    bool substituted = gp_parse_next_is(p, 's');
    substituted |= gp_parse_next_is(p, 'I');
    int types = lowered_types(p, &kind);
    if (types < 0 || (substituted && gp_parse_pop_arguments(p, NULL) < 0)) {
        p->failed = false;
        return whole_lowered_function(p, kind);
    }
    for (int i = 0; i < types; i++)
        if (gp_parse_pop_type(p) == NULL)
            return whole_lowered_function(p, kind);
    return gp_parse_push_new(p, kind);
}

bool gp_parse_annotation(gp_name_parser *p) {
    const uint8_t letter = gp_parse_byte(p);
    if (p->failed || strchr("cKabATCjiukt", letter) == NULL)
        return gp_parse_fail(p);
    if (strchr("iukt", letter) != NULL)
        return true;  // marks a parameter that is already on the stack
    if (letter == 'c' || letter == 'K')
        gp_parse_pop_type(p);  // global actor, typed throws
    else if (letter == 'j')
        gp_parse_byte(p);
    return gp_parse_push(p, GP_ITEM_NOTE, NULL, NULL);
}
