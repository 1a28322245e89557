// The demangler: a stack machine over the postfix grammar of Swift's mangling, as far as stored types need it.
#include "mangled_name.h"

#include "TraceFormat.h"
#include "arena.h"
#include "context_descriptor.h"
#include "images.h"
#include "ownership.h"
#include "standard_types.h"

enum { STACK = 48, SUBSTITUTIONS = 64, PROTOCOL_IS_ANY = 1u << 16 };

// What lies on the stack besides types.
typedef enum { ITEM_TYPE, ITEM_IDENTIFIER, ITEM_MODULE, ITEM_EMPTY, ITEM_FIRST, ITEM_NOTE } item_kind;

typedef struct {
    item_kind kind;
    const gp_swift_type *type;
    const char *text;
} item;

typedef struct {
    uintptr_t next, end;
    const gp_generic_environment *environment;
    item stack[STACK];
    unsigned depth;
    item substitutions[SUBSTITUTIONS];
    unsigned substitution_count;
    bool failed;
} parser;

static const gp_swift_type unknown_type = {.kind = GP_SHAPE_UNKNOWN};
static const gp_swift_type unknown_protocol = {.kind = GP_SHAPE_PROTOCOL, .witnesses = 1};

uintptr_t gp_mangled_name_end(uintptr_t name) {
    for (;;) {
        uint8_t byte = *(const uint8_t *)name;
        if (byte == 0) {
            return name;
        }
        name += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1;
    }
}

static void fail(parser *p) {
    p->failed = true;
    p->next = p->end;
}

static void push(parser *p, item_kind kind, const gp_swift_type *type, const char *text) {
    if (p->depth == STACK) {
        fail(p);
        return;
    }
    p->stack[p->depth++] = (item){kind, type, text};
}

static void substitute_later(parser *p) {
    if (p->substitution_count < SUBSTITUTIONS && p->depth > 0) {
        p->substitutions[p->substitution_count++] = p->stack[p->depth - 1];
    }
}

static bool pop_kind(parser *p, item_kind kind) {
    if (p->depth == 0 || p->stack[p->depth - 1].kind != kind) {
        return false;
    }
    p->depth--;
    return true;
}

static const gp_swift_type *pop_type(parser *p) {
    return pop_kind(p, ITEM_TYPE) ? p->stack[p->depth].type : NULL;
}

static gp_swift_type *new_type(parser *p, gp_swift_type_kind kind, unsigned children) {
    size_t size = sizeof(gp_swift_type) + children * sizeof(void *) * 2;
    gp_swift_type *type = gp_arena_allocate(size);
    if (type == NULL) {
        fail(p);
        return NULL;
    }
    type->kind = (uint8_t)kind;
    type->count = (uint16_t)children;
    type->children = (const gp_swift_type **)(type + 1);
    type->names = (const char **)(type->children + children);
    return type;
}

static void push_new(parser *p, gp_swift_type_kind kind) {
    push(p, ITEM_TYPE, new_type(p, kind, 0), NULL);
}

static uint8_t next_byte(parser *p) {
    if (p->next >= p->end) {
        fail(p);
        return 0;
    }
    return *(const uint8_t *)p->next++;
}

static bool next_is(parser *p, char letter) {
    if (p->next < p->end && *(const char *)p->next == letter) {
        p->next++;
        return true;
    }
    return false;
}

static unsigned natural(parser *p) {
    unsigned number = 0;
    while (p->next < p->end && *(const uint8_t *)p->next >= '0' && *(const uint8_t *)p->next <= '9') {
        number = number * 10 + (next_byte(p) - '0');
    }
    return number;
}

// `_` is 0, `0_` is 1, `1_` is 2 …
static unsigned index_of(parser *p) {
    if (next_is(p, '_')) {
        return 0;
    }
    unsigned number = natural(p) + 1;
    if (!next_is(p, '_')) {
        fail(p);
    }
    return number;
}

static void push_context(parser *p, uintptr_t descriptor) {
    if (descriptor == 0 || (descriptor & 3) != 0 || !gp_address_is_readable_image(descriptor, 20)) {
        fail(p);
        return;
    }
    gp_swift_type *type;
    switch (gp_context_kind(descriptor)) {
    case GP_CONTEXT_PROTOCOL:
        type = new_type(p, GP_SHAPE_PROTOCOL, 0);
        if (type != NULL) {
            type->witnesses = 1;
            type->class_bound = (gp_u32_at(descriptor) & PROTOCOL_IS_ANY) == 0;
            type->is_error = gp_context_is(descriptor, "Swift", "Error");
        }
        break;
    case GP_CONTEXT_CLASS:
    case GP_CONTEXT_STRUCT:
    case GP_CONTEXT_ENUM:
        type = new_type(p, GP_SHAPE_NOMINAL, 0);
        break;
    default:
        fail(p);
        return;
    }
    if (type != NULL) {
        type->address = descriptor;
        type->name = gp_context_name(descriptor);
        type->module = gp_context_module(descriptor);
        push(p, ITEM_TYPE, type, NULL);
        substitute_later(p);
    }
}

static void symbolic_reference(parser *p, uint8_t kind) {
    uintptr_t at = p->next;
    p->next += kind < 0x18 ? 4 : 8;
    if (p->next > p->end || (kind != 1 && kind != 2)) {
        fail(p);
        return;
    }
    uintptr_t target = gp_relative_at(at);
    push_context(p, kind == 2 && target != 0 ? gp_word_at(target) : target);
}

static void push_standard(parser *p, const gp_standard_type *standard, unsigned repeat) {
    if (standard == NULL || repeat > STACK) {
        fail(p);
        return;
    }
    const gp_swift_type *type = &unknown_protocol;
    if (standard->kind != 'P') {
        gp_swift_type *nominal = new_type(p, GP_SHAPE_NOMINAL, 0);
        if (nominal == NULL) {
            return;
        }
        nominal->letter = standard->kind;
        nominal->name = standard->name;
        nominal->module = "Swift";
        type = nominal;
    }
    for (unsigned i = 0; i < repeat; i++) {
        push(p, ITEM_TYPE, type, NULL);
    }
}

static void bind_optional(parser *p) {
    const gp_swift_type *wrapped = pop_type(p);
    gp_swift_type *optional = new_type(p, GP_SHAPE_NOMINAL, 1);
    if (wrapped == NULL || optional == NULL) {
        fail(p);
        return;
    }
    optional->letter = 'O';
    optional->name = "Optional";
    optional->module = "Swift";
    optional->children[0] = wrapped;
    push(p, ITEM_TYPE, optional, NULL);
    substitute_later(p);
}

static void standard_substitution(parser *p) {
    unsigned repeat = natural(p);
    uint8_t letter = next_byte(p);
    switch (letter) {
    case 'g':
        bind_optional(p);
        break;
    case 'o':
        push(p, ITEM_MODULE, NULL, "__C");
        break;
    case 'C':
        push(p, ITEM_MODULE, NULL, "__C_Synthesized");
        break;
    case 'c':
        push_standard(p, gp_concurrency_type_of((char)next_byte(p)), repeat == 0 ? 1 : repeat);
        break;
    default:
        push_standard(p, gp_standard_type_of((char)letter), repeat == 0 ? 1 : repeat);
    }
}

// `A`, then lower-case letters (more follow) and an upper-case one (the last), each with an optional repeat count.
static void substitution(parser *p) {
    unsigned repeat = 0;
    for (;;) {
        uint8_t letter = next_byte(p);
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
            repeat = natural(p);
            continue;
        } else {
            fail(p);
            return;
        }
        if (number >= p->substitution_count || repeat > STACK) {
            fail(p);
            return;
        }
        item again = p->substitutions[number];
        for (unsigned i = 0; i < (repeat == 0 ? 1 : repeat); i++) {
            push(p, again.kind, again.type, again.text);
        }
        repeat = 0;
        if (last) {
            return;
        }
    }
}

static void identifier(parser *p) {
    if (*(const char *)p->next == '0') {
        fail(p);  // words of earlier identifiers
        return;
    }
    unsigned length = natural(p);
    char *copy = length < 1024 && p->next + length <= p->end ? gp_arena_allocate(length + 1) : NULL;
    if (copy == NULL) {
        fail(p);
        return;
    }
    memcpy(copy, (const void *)p->next, length);
    p->next += length;
    push(p, ITEM_IDENTIFIER, NULL, copy);
    substitute_later(p);
}

static void named_type(parser *p, char letter) {
    const char *name = pop_kind(p, ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
    gp_swift_type *type = new_type(p, letter == 'P' ? GP_SHAPE_PROTOCOL : GP_SHAPE_NOMINAL, 0);
    if (name == NULL || p->depth == 0 || type == NULL) {
        fail(p);
        return;
    }
    item around = p->stack[--p->depth];
    type->letter = letter;
    type->name = name;
    type->module = around.kind == ITEM_TYPE && around.type != NULL ? around.type->module : around.text;
    if (letter == 'P') {
        type->witnesses = 1;
    }
    push(p, ITEM_TYPE, type, NULL);
    substitute_later(p);
}

static void generic_parameter(parser *p, unsigned depth, unsigned index) {
    const gp_generic_environment *e = p->environment;
    const gp_swift_type *type = &unknown_type;
    if (e != NULL && depth < e->depth_count) {
        unsigned flat = index + (depth > 0 ? e->depths[depth - 1] : 0);
        if (flat < e->depths[depth] && flat < e->count && e->arguments[flat] != NULL) {
            type = e->arguments[flat];
        }
    }
    push(p, ITEM_TYPE, type, NULL);
}

static void parameter_by_index(parser *p) {
    if (next_is(p, 'd')) {
        unsigned depth = index_of(p) + 1;
        generic_parameter(p, depth, index_of(p));
    } else if (next_is(p, 'z')) {
        generic_parameter(p, 0, 0);
    } else {
        generic_parameter(p, 0, index_of(p) + 1);
    }
}

// An associated type: only the runtime could say which.
static void dependent_member(parser *p) {
    uint8_t letter = next_byte(p);
    if (letter == 'y') {
        index_of(p);
    } else if (letter != 'z') {
        fail(p);
        return;
    }
    pop_type(p);
    if (!pop_kind(p, ITEM_IDENTIFIER)) {
        fail(p);
        return;
    }
    push(p, ITEM_TYPE, &unknown_type, NULL);
    substitute_later(p);
}

static void tuple(parser *p) {
    const gp_swift_type *elements[STACK];
    const char *names[STACK];
    unsigned count = 0;
    if (!pop_kind(p, ITEM_EMPTY)) {
        bool first;
        do {
            first = pop_kind(p, ITEM_FIRST);
            names[count] = pop_kind(p, ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
            elements[count] = pop_type(p);
            if (elements[count] == NULL || count + 1 == STACK) {
                fail(p);
                return;
            }
            count++;
        } while (!first);
    }
    gp_swift_type *type = new_type(p, GP_SHAPE_TUPLE, count);
    if (type == NULL) {
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        type->children[i] = elements[count - 1 - i];
        type->names[i] = names[count - 1 - i];
    }
    push(p, ITEM_TYPE, type, NULL);
}

static void bound_generic(parser *p) {
    const gp_swift_type *arguments[STACK];
    unsigned count = 0;
    for (;;) {
        const gp_swift_type *argument;
        while ((argument = pop_type(p)) != NULL) {
            arguments[count++] = argument;
        }
        if (pop_kind(p, ITEM_EMPTY)) {
            break;
        }
        if (!pop_kind(p, ITEM_FIRST)) {
            fail(p);
            return;
        }
    }
    const gp_swift_type *nominal = pop_type(p);
    gp_swift_type *type = nominal == NULL ? NULL : new_type(p, GP_SHAPE_NOMINAL, count);
    if (type == NULL || nominal->kind != GP_SHAPE_NOMINAL) {
        fail(p);
        return;
    }
    const gp_swift_type **children = type->children;
    const char **names = type->names;
    *type = *nominal;
    type->children = children;
    type->names = names;
    type->count = (uint16_t)count;
    for (unsigned i = 0; i < count; i++) {
        children[i] = arguments[count - 1 - i];
    }
    push(p, ITEM_TYPE, type, NULL);
    substitute_later(p);
}

static void function(parser *p, gp_swift_type_kind kind) {
    while (pop_kind(p, ITEM_NOTE)) {
    }
    for (unsigned side = 0; side < 2; side++) {
        if (!pop_kind(p, ITEM_EMPTY) && pop_type(p) == NULL) {
            fail(p);
            return;
        }
    }
    push_new(p, kind);
}

// The lowered function type of a capture: everything before it belongs to it, and it ends the name.
static void lowered_function(parser *p) {
    gp_swift_type_kind kind = GP_SHAPE_FUNCTION;
    while (p->next < p->end && strchr("sIeAdlr", *(const char *)p->next) != NULL) {
        p->next++;
    }
    if (next_is(p, 't')) {
        kind = GP_SHAPE_THIN_FUNCTION;
    } else {
        p->next++;
        if (p->next < p->end && strchr("zC", *(const char *)p->next) != NULL) {
            kind = GP_SHAPE_UNKNOWN;
        }
    }
    p->next = p->end;
    p->depth = 0;
    push_new(p, kind);
}

static bool add_protocol(parser *p, gp_swift_type *existential) {
    const gp_swift_type *protocol = pop_type(p);
    if (protocol != NULL) {
        existential->class_bound |= protocol->class_bound;
        existential->is_error |= protocol->is_error;
        existential->witnesses = (uint8_t)(existential->witnesses + protocol->witnesses);
        return protocol->kind == GP_SHAPE_PROTOCOL;
    }
    const char *name = pop_kind(p, ITEM_IDENTIFIER) ? p->stack[p->depth].text : NULL;
    if (name == NULL || p->depth == 0) {
        return false;
    }
    item around = p->stack[--p->depth];
    bool standard = around.kind == ITEM_MODULE && strcmp(around.text, "Swift") == 0;
    if (standard && strcmp(name, "Error") == 0) {
        existential->is_error = true;
    }
    // Marker protocols have no witness table; whether another is class-bound its name alone does not say.
    bool marker = standard && (strcmp(name, "Sendable") == 0 || strcmp(name, "Copyable") == 0 ||
                               strcmp(name, "Escapable") == 0 || strcmp(name, "BitwiseCopyable") == 0);
    existential->witnesses = (uint8_t)(existential->witnesses + !marker);
    return standard;
}

static gp_swift_type *protocols(parser *p) {
    gp_swift_type *existential = new_type(p, GP_SHAPE_EXISTENTIAL, 0);
    if (existential == NULL || pop_kind(p, ITEM_EMPTY)) {
        return existential;
    }
    unsigned count = 0;
    bool first;
    do {
        first = pop_kind(p, ITEM_FIRST);
        if (!add_protocol(p, existential)) {
            fail(p);
            return NULL;
        }
        count++;
    } while (!first);
    existential->is_error &= count == 1;
    return existential;
}

static void reference_storage(parser *p, char letter) {
    const gp_swift_type *referent = pop_type(p);
    gp_swift_type *type = referent == NULL ? NULL : new_type(p, GP_SHAPE_REFERENCE_STORAGE, 1);
    if (type == NULL) {
        fail(p);
        return;
    }
    type->ownership = gp_ownership_of_storage(letter);
    type->children[0] = referent;
    push(p, ITEM_TYPE, type, NULL);
}

static void metatype(parser *p) {
    const gp_swift_type *instance = pop_type(p);
    if (instance == NULL) {
        fail(p);
        return;
    }
    push_new(p, GP_SHAPE_METATYPE);
}

static void existential_metatype(parser *p) {
    const gp_swift_type *existential = pop_type(p);
    gp_swift_type *type = existential == NULL ? NULL : new_type(p, GP_SHAPE_EXISTENTIAL_METATYPE, 0);
    if (type == NULL || existential->kind != GP_SHAPE_EXISTENTIAL) {
        fail(p);
        return;
    }
    type->witnesses = existential->witnesses;
    push(p, ITEM_TYPE, type, NULL);
}

static void class_existential(parser *p, bool with_superclass) {
    if (with_superclass && pop_type(p) == NULL) {
        fail(p);
        return;
    }
    gp_swift_type *existential = protocols(p);
    if (existential != NULL) {
        existential->class_bound = true;
        push(p, ITEM_TYPE, existential, NULL);
    }
}

static void special_type(parser *p) {
    uint8_t letter = next_byte(p);
    switch (letter) {
    case 'w':
    case 'o':
    case 'u':
        reference_storage(p, (char)letter);
        break;
    case 'E':
    case 'A':
    case 'K':
        function(p, GP_SHAPE_FUNCTION);
        break;
    case 'C':
    case 'f':
        function(p, GP_SHAPE_THIN_FUNCTION);
        break;
    case 'p':
        existential_metatype(p);
        break;
    case 'l':
        class_existential(p, false);
        break;
    case 'c':
        class_existential(p, true);
        break;
    case 'b':
        pop_type(p);
        push_new(p, GP_SHAPE_BOX);
        break;
    case 'M':
    case 'm':
        next_byte(p);
        metatype(p);
        break;
    default:
        fail(p);
    }
}

static void annotation(parser *p) {
    uint8_t letter = next_byte(p);
    switch (letter) {
    case 'c':  // global actor
    case 'K':  // typed throws
        pop_type(p);
        push(p, ITEM_NOTE, NULL, NULL);
        break;
    case 'a':
    case 'b':
    case 'A':
    case 'T':
    case 'C':
        push(p, ITEM_NOTE, NULL, NULL);
        break;
    case 'j':
        next_byte(p);
        push(p, ITEM_NOTE, NULL, NULL);
        break;
    case 'i':
    case 'u':
    case 'k':
    case 't':
        break;  // marks a parameter that is already on the stack
    default:
        fail(p);
    }
}

static void builtin(parser *p) {
    gp_swift_type *type = new_type(p, GP_SHAPE_BUILTIN, 0);
    if (type == NULL) {
        return;
    }
    type->letter = (char)next_byte(p);
    if (type->letter == 'i' || type->letter == 'f') {
        type->bits = natural(p);
        next_is(p, '_');
    } else if (type->letter == 'v' || type->letter == 'V') {
        fail(p);
        return;
    }
    push(p, ITEM_TYPE, type, NULL);
}

static void operator(parser *p, uint8_t byte) {
    switch (byte) {
    case 'S':
        standard_substitution(p);
        break;
    case 's':
        push(p, ITEM_MODULE, NULL, "Swift");
        break;
    case 'A':
        substitution(p);
        break;
    case 'y':
        push(p, ITEM_EMPTY, NULL, NULL);
        break;
    case '_':
        push(p, ITEM_FIRST, NULL, NULL);
        break;
    case 't':
        tuple(p);
        break;
    case 'G':
        bound_generic(p);
        break;
    case 'x':
        generic_parameter(p, 0, 0);
        break;
    case 'q':
        parameter_by_index(p);
        break;
    case 'Q':
        dependent_member(p);
        break;
    case 'V':
    case 'O':
    case 'C':
    case 'P':
    case 'a':
        named_type(p, (char)byte);
        break;
    case 'B':
        builtin(p);
        break;
    case 'm':
        metatype(p);
        break;
    case 'p': {
        gp_swift_type *existential = protocols(p);
        if (existential != NULL) {
            push(p, ITEM_TYPE, existential, NULL);
        }
        break;
    }
    case 'c':
        function(p, GP_SHAPE_FUNCTION);
        break;
    case 'I':
        lowered_function(p);
        break;
    case 'X':
        special_type(p);
        break;
    case 'Y':
        annotation(p);
        break;
    case 'K':
        push(p, ITEM_NOTE, NULL, NULL);
        break;
    case 'z':
    case 'h':
    case 'n':
    case 'd':
        break;  // marks a parameter that is already on the stack
    default:
        fail(p);
    }
}

static bool ends_with_box(uintptr_t name, uintptr_t end) {
    uintptr_t after_references = name;
    for (uintptr_t at = name; at < end;) {
        uint8_t byte = *(const uint8_t *)at;
        at += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1;
        if (byte < 0x20) {
            after_references = at;
        }
    }
    return end - after_references >= 2 && *(const char *)(end - 2) == 'X' &&
           (*(const char *)(end - 1) == 'x' || *(const char *)(end - 1) == 'X');
}

const gp_swift_type *gp_type_of_mangled_name(uintptr_t name, const gp_generic_environment *environment) {
    static const gp_swift_type box = {.kind = GP_SHAPE_BOX};
    uintptr_t end = gp_mangled_name_end(name);
    if (ends_with_box(name, end)) {
        return &box;
    }
    parser p = {.next = name, .end = end, .environment = environment};
    while (p.next < p.end && !p.failed) {
        uint8_t byte = next_byte(&p);
        if (byte < 0x20) {
            symbolic_reference(&p, byte);
        } else if (byte >= '0' && byte <= '9') {
            p.next--;
            identifier(&p);
        } else {
            operator(&p, byte);
        }
    }
    const gp_swift_type *type = p.failed || p.depth != 1 ? NULL : pop_type(&p);
    return type == NULL ? &unknown_type : type;
}

const gp_swift_type *gp_type_of_metadata(uintptr_t metadata) {
    gp_swift_type *type = gp_arena_allocate(sizeof *type);
    if (type == NULL) {
        return &unknown_type;
    }
    type->kind = GP_SHAPE_METADATA;
    type->address = metadata;
    return type;
}

uintptr_t gp_extended_type(uintptr_t extension) {
    uintptr_t name = gp_relative_at(extension + 8);
    if (name == 0 || !gp_address_is_readable_image(name, 5)) {
        return 0;
    }
    uint8_t kind = *(const uint8_t *)name;
    if (kind != 1 && kind != 2) {
        return 0;
    }
    uintptr_t target = gp_relative_at(name + 1);
    return kind == 2 && target != 0 ? gp_word_at(target) : target;
}
