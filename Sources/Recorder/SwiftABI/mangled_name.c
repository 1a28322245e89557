// The demangler: a stack machine over the postfix grammar of Swift's mangling, as far as stored types need it.
#include "mangled_name.h"

#include <string.h>

#include "arena.h"
#include "mangled_parser.h"
#include "type_layout.h"

// The first byte after the mangled name at `name` (symbolic references may contain zeros).
static uintptr_t mangled_name_end(uintptr_t name) {
    for (;;) {
        uint8_t byte = *(const uint8_t *)name;
        if (byte == 0)
            return name;
        name += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1;
    }
}

static bool tuple(gp_name_parser *p) {
    const gp_swift_type *elements[GP_NAME_STACK];
    const char *names[GP_NAME_STACK];
    unsigned count = 0;
    if (!gp_parse_pop(p, GP_ITEM_EMPTY)) {
        bool first;
        do {
            first = gp_parse_pop(p, GP_ITEM_FIRST);
            names[count] = gp_parse_pop(p, GP_ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
            elements[count] = gp_parse_pop_type(p);
            if (elements[count] == NULL || count + 1 == GP_NAME_STACK)
                return gp_parse_fail(p);
            count++;
        } while (!first);
    }
    gp_swift_type *type = gp_parse_new_type(p, GP_SHAPE_TUPLE, count);
    if (type == NULL)
        return false;
    for (unsigned i = 0; i < count; i++) {
        type->children[i] = elements[count - 1 - i];
        type->names[i] = names[count - 1 - i];
    }
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

static bool reference_storage(gp_name_parser *p, char letter) {
    const gp_swift_type *referent = gp_parse_pop_type(p);
    gp_swift_type *type = referent == NULL ? NULL : gp_parse_new_type(p, GP_SHAPE_REFERENCE_STORAGE, 1);
    if (type == NULL)
        return gp_parse_fail(p);
    type->ownership = gp_ownership_of_storage(letter);
    type->children[0] = referent;
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

static bool metatype(gp_name_parser *p) {
    const gp_swift_type *instance = gp_parse_pop_type(p);
    if (instance == NULL)
        return gp_parse_fail(p);
    return gp_parse_push_new(p, GP_SHAPE_METATYPE);
}

static bool special_type(gp_name_parser *p) {
    uint8_t letter = gp_parse_byte(p);
    switch (letter) {
    case 'w':
    case 'o':
    case 'u':
        return reference_storage(p, (char)letter);
    case 'E':
    case 'A':
    case 'K':
        return gp_parse_function(p, GP_SHAPE_FUNCTION);
    case 'C':
    case 'f':
        return gp_parse_function(p, GP_SHAPE_THIN_FUNCTION);
    case 'p':
        return gp_parse_existential_metatype(p);
    case 'j':
        return gp_parse_extended_existential(p);
    case 'l':
        return gp_parse_class_existential(p, false);
    case 'c':
        return gp_parse_class_existential(p, true);
    case 'b':
        gp_parse_pop_type(p);
        return gp_parse_push_new(p, GP_SHAPE_BOX);
    case 'M':
        gp_parse_byte(p);
        return metatype(p);
    case 'm':
        gp_parse_byte(p);
        return gp_parse_existential_metatype(p);
    default:
        return gp_parse_fail(p);
    }
}

static bool builtin(gp_name_parser *p) {
    gp_swift_type *type = gp_parse_new_type(p, GP_SHAPE_BUILTIN, 0);
    if (type == NULL)
        return false;
    type->letter = (char)gp_parse_byte(p);
    if (type->letter == 'i' || type->letter == 'f') {
        type->bits = gp_parse_natural(p);
        gp_parse_next_is(p, '_');
    } else if (type->letter == 'v' || type->letter == 'V') {
        return gp_parse_fail(p);
    }
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

static bool integer(gp_name_parser *p) {
    gp_swift_type *type = gp_parse_next_is(p, 'n') ? NULL : gp_parse_new_type(p, GP_SHAPE_INTEGER, 0);
    if (type == NULL)
        return gp_parse_fail(p);
    type->bits = gp_parse_index(p);
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL);
}

static bool operator(gp_name_parser *p, uint8_t byte) {
    switch (byte) {
    case 'S':
        return gp_parse_standard_substitution(p);
    case 's':
        return gp_parse_push(p, GP_ITEM_MODULE, NULL, "Swift");
    case 'A':
        return gp_parse_substitution(p);
    case 'y':
        return gp_parse_push(p, GP_ITEM_EMPTY, NULL, NULL);
    case '_':
        return gp_parse_push(p, GP_ITEM_FIRST, NULL, NULL);
    case 't':
        return tuple(p);
    case 'G':
        return gp_parse_bound_generic(p);
    case 'x':
        return gp_parse_generic_parameter(p, 0, 0);
    case 'q':
        return gp_parse_parameter_by_index(p);
    case 'Q':
        return gp_parse_dependent_member(p);
    case 'R':
        return gp_parse_requirement(p);
    case 'r':
        return gp_parse_parameter_counts(p);
    case 'l':
        return true;  // ends the requirements of one parameter
    case 'V':
    case 'O':
    case 'C':
    case 'P':
    case 'a':
        return gp_parse_named_type(p, (char)byte);
    case 'B':
        return builtin(p);
    case '$':
        return integer(p);
    case 'm':
        return metatype(p);
    case 'p': {
        gp_swift_type *existential = gp_parse_protocols(p);
        return existential != NULL && gp_parse_push(p, GP_ITEM_TYPE, existential, NULL);
    }
    case 'c':
        return gp_parse_function(p, GP_SHAPE_FUNCTION);
    case 'I':
        return gp_parse_lowered_function(p);
    case 'X':
        return special_type(p);
    case 'Y':
        return gp_parse_annotation(p);
    case 'K':
        return gp_parse_push(p, GP_ITEM_NOTE, NULL, NULL);
    case 'z':
    case 'h':
    case 'n':
    case 'd':
        return true;  // marks a parameter that is already on the stack
    default:
        return gp_parse_fail(p);
    }
}

static bool step(gp_name_parser *p) {
    const uint8_t byte = gp_parse_byte(p);
    if (byte < 0x20)
        return gp_parse_symbolic_reference(p, byte);
    if (byte < '0' || byte > '9')
        return operator(p, byte);
    p->next--;
    return gp_parse_identifier(p);
}

static bool ends_with_box(uintptr_t name, uintptr_t end) {
    uintptr_t after_references = name;
    for (uintptr_t at = name; at < end;) {
        uint8_t byte = *(const uint8_t *)at;
        at += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1;
        if (byte < 0x20)
            after_references = at;
    }
    return end - after_references >= 2 && *(const char *)(end - 2) == 'X' &&
           (*(const char *)(end - 1) == 'x' || *(const char *)(end - 1) == 'X');
}

const gp_swift_type *gp_type_of_mangled_name(uintptr_t name, const gp_generic_environment *environment) {
    static const gp_swift_type box = {.kind = GP_SHAPE_BOX};
    uintptr_t end = mangled_name_end(name);
    if (ends_with_box(name, end))
        return &box;
    gp_name_parser p = {.begin = name, .next = name, .end = end, .environment = environment};
    while (p.next < p.end && step(&p))
        continue;
    const gp_swift_type *type = p.failed || p.depth != 1 ? NULL : gp_parse_pop_type(&p);
    return type == NULL ? &gp_unknown_type : type;
}

const gp_swift_type *gp_type_of_metadata(uintptr_t metadata) {
    gp_swift_type *type = gp_arena_allocate(sizeof *type);
    if (type == NULL)
        return &gp_unknown_type;
    type->kind = GP_SHAPE_METADATA;
    type->address = metadata;
    return type;
}

const gp_swift_type *gp_type_of_integer(uintptr_t number) {
    gp_swift_type *type = number > UINT32_MAX ? NULL : gp_arena_allocate(sizeof *type);
    if (type != NULL) {
        type->kind = GP_SHAPE_INTEGER;
        type->bits = (uint32_t)number;
    }
    return type;
}
