// The parser's cursor and stack.
#include "mangled_parser.h"

#include "arena.h"

const gp_swift_type gp_unknown_type = {.kind = GP_SHAPE_UNKNOWN};

bool gp_parse_fail(gp_name_parser *p) {
    p->failed = true;
    p->next = p->end;
    return false;
}

bool gp_parse_push(gp_name_parser *p, gp_name_item_kind kind, const gp_swift_type *type, const char *text) {
    if (p->depth == GP_NAME_STACK)
        return gp_parse_fail(p);
    p->stack[p->depth++] = (gp_name_item){kind, type, text};
    return true;
}

bool gp_parse_remember(gp_name_parser *p) {
    if (p->substitution_count < GP_NAME_SUBSTITUTIONS && p->depth > 0)
        p->substitutions[p->substitution_count++] = p->stack[p->depth - 1];
    return true;
}

bool gp_parse_pop(gp_name_parser *p, gp_name_item_kind kind) {
    if (p->depth == 0 || p->stack[p->depth - 1].kind != kind)
        return false;
    p->depth--;
    return true;
}

const gp_swift_type *gp_parse_pop_type(gp_name_parser *p) {
    return gp_parse_pop(p, GP_ITEM_TYPE) ? p->stack[p->depth].type : NULL;
}

gp_swift_type *gp_parse_new_type(gp_name_parser *p, gp_swift_type_kind kind, unsigned children) {
    size_t size = sizeof(gp_swift_type) + children * sizeof(void *) * 2;
    gp_swift_type *type = gp_arena_allocate(size);
    if (type == NULL) {
        gp_parse_fail(p);
        return NULL;
    }
    type->kind = (uint8_t)kind;
    type->count = (uint16_t)children;
    type->children = (const gp_swift_type **)(type + 1);
    type->names = (const char **)(type->children + children);
    return type;
}

bool gp_parse_push_new(gp_name_parser *p, gp_swift_type_kind kind) {
    return gp_parse_push(p, GP_ITEM_TYPE, gp_parse_new_type(p, kind, 0), NULL);
}

uint8_t gp_parse_byte(gp_name_parser *p) {
    if (p->next >= p->end) {
        gp_parse_fail(p);
        return 0;
    }
    return *(const uint8_t *)p->next++;
}

bool gp_parse_next_is(gp_name_parser *p, char letter) {
    if (p->next < p->end && *(const char *)p->next == letter) {
        p->next++;
        return true;
    }
    return false;
}

unsigned gp_parse_natural(gp_name_parser *p) {
    unsigned number = 0;
    while (p->next < p->end && *(const uint8_t *)p->next >= '0' && *(const uint8_t *)p->next <= '9')
        number = number * 10 + (gp_parse_byte(p) - '0');
    return number;
}

// `_` is 0, `0_` is 1, `1_` is 2 …
unsigned gp_parse_index(gp_name_parser *p) {
    if (gp_parse_next_is(p, '_'))
        return 0;
    unsigned number = gp_parse_natural(p) + 1;
    if (!gp_parse_next_is(p, '_'))
        gp_parse_fail(p);
    return number;
}
