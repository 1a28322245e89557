// Abbreviations: the standard library's types by a letter, and what the name has mentioned before.
#include "mangled_parser.h"
#include "standard_types.h"

static const gp_swift_type unknown_protocol = {.kind = GP_SHAPE_PROTOCOL, .witnesses = 1};

static void push_standard(gp_name_parser *p, const gp_standard_type *standard, unsigned repeat) {
    if (standard == NULL || repeat > GP_NAME_STACK) {
        gp_parse_fail(p);
        return;
    }
    const gp_swift_type *type = &unknown_protocol;
    if (standard->kind != 'P') {
        gp_swift_type *nominal = gp_parse_new_type(p, GP_SHAPE_NOMINAL, 0);
        if (nominal == NULL) {
            return;
        }
        nominal->letter = standard->kind;
        nominal->name = standard->name;
        nominal->module = "Swift";
        type = nominal;
    }
    for (unsigned i = 0; i < repeat; i++) {
        gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
    }
}

void gp_parse_standard_substitution(gp_name_parser *p) {
    unsigned repeat = gp_parse_natural(p);
    uint8_t letter = gp_parse_byte(p);
    switch (letter) {
    case 'g':
        gp_parse_optional(p);
        break;
    case 'o':
        gp_parse_push(p, GP_ITEM_MODULE, NULL, "__C");
        break;
    case 'C':
        gp_parse_push(p, GP_ITEM_MODULE, NULL, "__C_Synthesized");
        break;
    case 'c':
        push_standard(p, gp_concurrency_type_of((char)gp_parse_byte(p)), repeat == 0 ? 1 : repeat);
        break;
    default:
        push_standard(p, gp_standard_type_of((char)letter), repeat == 0 ? 1 : repeat);
    }
}

// `A`, then lower-case letters (more follow) and an upper-case one (the last), each with an optional repeat count.
void gp_parse_substitution(gp_name_parser *p) {
    unsigned repeat = 0;
    for (;;) {
        uint8_t letter = gp_parse_byte(p);
        if (p->failed) {
            return;
        }
        unsigned number;
        bool last = true;
        if (letter >= 'a' && letter <= 'z') {
            number = letter - 'a';
            last = false;
        } else if (letter >= 'A' && letter <= 'Z') {
            number = letter - 'A';
        } else if (letter == '_') {
            number = repeat + 27;
            repeat = 0;
        } else if (letter >= '0' && letter <= '9') {
            p->next--;
            repeat = gp_parse_natural(p);
            continue;
        } else {
            gp_parse_fail(p);
            return;
        }
        if (number >= p->substitution_count || repeat > GP_NAME_STACK) {
            gp_parse_fail(p);
            return;
        }
        gp_name_item again = p->substitutions[number];
        for (unsigned i = 0; i < (repeat == 0 ? 1 : repeat); i++) {
            gp_parse_push(p, again.kind, again.type, again.text);
        }
        repeat = 0;
        if (last) {
            return;
        }
    }
}
