// Names of structs, enums, classes and protocols: by descriptor, by text, of the standard library.
#include <string.h>

#include "arena.h"
#include "context_descriptor.h"
#include "images.h"
#include "mangled_name.h"
#include "mangled_parser.h"

enum { PROTOCOL_IS_ANY = 1u << 16 };

static bool push_context(gp_name_parser *p, uintptr_t descriptor) {
    if (descriptor == 0 || (descriptor & 3) != 0 || !gp_address_is_readable_image(descriptor, 20))
        return gp_parse_fail(p);
    gp_swift_type *type;
    switch (gp_context_kind(descriptor)) {
    case GP_CONTEXT_PROTOCOL:
        type = gp_parse_new_type(p, GP_SHAPE_PROTOCOL, 0);
        if (type != NULL) {
            type->witnesses = 1;
            type->class_bound = (gp_u32_at(descriptor) & PROTOCOL_IS_ANY) == 0;
            type->is_error = gp_context_is(descriptor, "Swift", "Error");
        }
        break;
    case GP_CONTEXT_CLASS:
    case GP_CONTEXT_STRUCT:
    case GP_CONTEXT_ENUM:
        type = gp_parse_new_type(p, GP_SHAPE_NOMINAL, 0);
        break;
    default:
        return gp_parse_fail(p);
    }
    if (type == NULL)
        return false;
    type->address = descriptor;
    type->name = gp_context_name(descriptor);
    type->module = gp_context_module(descriptor);
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL) && gp_parse_remember(p);
}

bool gp_parse_symbolic_reference(gp_name_parser *p, uint8_t kind) {
    enum { CONTEXT = 1, CONTEXT_POINTER = 2, SHAPE = 10, SHAPE_BEHIND_CACHE = 11 };
    uintptr_t at = p->next;
    p->next += kind < 0x18 ? 4 : 8;
    uintptr_t target = p->next <= p->end ? gp_relative_at(at) : 0;
    if (target != 0 && (kind == CONTEXT || kind == CONTEXT_POINTER))
        return push_context(p, kind == CONTEXT_POINTER ? gp_word_at(target) : target);
    if (target != 0 && (kind == SHAPE || kind == SHAPE_BEHIND_CACHE))
        return gp_parse_existential_shape(p, kind == SHAPE ? target : target + 4);
    return gp_parse_fail(p);
}

static bool letter_is_next(const gp_name_parser *p) {
    const char letter = p->next < p->end ? *(const char *)p->next | 0x20 : 0;
    return letter >= 'a' && letter <= 'z';
}

// What is encoded (`00`: of a raw identifier, or with other letters than ASCII) or abbreviated by words of earlier identifiers
// (`0`; a capital is the last of them) has no text here.
bool gp_parse_identifier(gp_name_parser *p) {
    const bool is_plain = !gp_parse_next_is(p, '0'), is_encoded = !is_plain && gp_parse_next_is(p, '0');
    bool has_words = !is_plain && !is_encoded;
    char *text = NULL;
    do {
        while (has_words && letter_is_next(p))
            has_words = gp_parse_byte(p) >= 'a';
        if (gp_parse_next_is(p, '0'))
            break;
        unsigned length = gp_parse_natural(p);
        if (is_encoded)
            gp_parse_next_is(p, '_');
        if (length == 0 || length >= 1024 || length > p->end - p->next)
            return gp_parse_fail(p);
        text = is_plain ? gp_arena_allocate(length + 1) : NULL;
        if (is_plain && text == NULL)
            return gp_parse_fail(p);
        if (text != NULL)
            memcpy(text, (const void *)p->next, length);
        p->next += length;
    } while (has_words);
    return gp_parse_push(p, GP_ITEM_IDENTIFIER, NULL, text) && gp_parse_remember(p);
}

bool gp_parse_named_type(gp_name_parser *p, char letter) {
    const char *name = gp_parse_pop(p, GP_ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
    gp_swift_type *type = gp_parse_new_type(p, letter == 'P' ? GP_SHAPE_PROTOCOL : GP_SHAPE_NOMINAL, 0);
    if (name == NULL || p->depth == 0 || type == NULL)
        return gp_parse_fail(p);
    gp_name_item around = p->stack[--p->depth];
    if (around.kind == GP_ITEM_IDENTIFIER && around.text == NULL)
        return gp_parse_fail(p);
    type->letter = letter;
    type->name = name;
    type->module = around.kind == GP_ITEM_TYPE && around.type != NULL ? around.type->module : around.text;
    if (letter == 'P')
        type->witnesses = 1;
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL) && gp_parse_remember(p);
}

int gp_parse_pop_arguments(gp_name_parser *p, const gp_swift_type **arguments) {
    int count = 0;
    for (;;) {
        const gp_swift_type *argument;
        while ((argument = gp_parse_pop_type(p)) != NULL) {
            if (arguments != NULL)
                arguments[count] = argument;
            count++;
        }
        if (gp_parse_pop(p, GP_ITEM_EMPTY))
            return count;
        if (!gp_parse_pop(p, GP_ITEM_FIRST)) {
            gp_parse_fail(p);
            return -1;
        }
    }
}

bool gp_parse_bound_generic(gp_name_parser *p) {
    const gp_swift_type *arguments[GP_NAME_STACK];
    int popped = gp_parse_pop_arguments(p, arguments);
    if (popped < 0)
        return false;
    unsigned count = (unsigned)popped;
    const gp_swift_type *nominal = gp_parse_pop_type(p);
    gp_swift_type *type = nominal == NULL ? NULL : gp_parse_new_type(p, GP_SHAPE_NOMINAL, count);
    if (type == NULL || nominal->kind != GP_SHAPE_NOMINAL)
        return gp_parse_fail(p);
    const gp_swift_type **children = type->children;
    const char **names = type->names;
    *type = *nominal;
    type->children = children;
    type->names = names;
    type->count = (uint16_t)count;
    for (unsigned i = 0; i < count; i++)
        children[i] = arguments[count - 1 - i];
    return gp_parse_push(p, GP_ITEM_TYPE, type, NULL) && gp_parse_remember(p);
}

bool gp_parse_optional(gp_name_parser *p) {
    const gp_swift_type *wrapped = gp_parse_pop_type(p);
    gp_swift_type *optional = gp_parse_new_type(p, GP_SHAPE_NOMINAL, 1);
    if (wrapped == NULL || optional == NULL)
        return gp_parse_fail(p);
    optional->letter = 'O';
    optional->name = "Optional";
    optional->module = "Swift";
    optional->children[0] = wrapped;
    return gp_parse_push(p, GP_ITEM_TYPE, optional, NULL) && gp_parse_remember(p);
}

uintptr_t gp_extended_type(uintptr_t extension) {
    uintptr_t name = gp_relative_at(extension + 8);
    if (name == 0 || !gp_address_is_readable_image(name, 5))
        return 0;
    uint8_t kind = *(const uint8_t *)name;
    if (kind != 1 && kind != 2)
        return 0;
    uintptr_t target = gp_relative_at(name + 1);
    return kind == 2 && target != 0 ? gp_word_at(target) : target;
}
