// The layout of a type, by what kind of type it is.
#include "type_layout.h"

#include "TraceFormat.h"
#include "arena.h"
#include "context_descriptor.h"
#include "existential.h"
#include "key_table.h"
#include "metadata.h"
#include "word.h"

enum { DEFAULT_ACTOR_BYTES = 96, MOST_NUMBER_BYTES = 1 << 16 };

// An actor's own words: its state and the queue of jobs that wait for it, none of which it retains.
static gp_layout actor_storage(void) {
    gp_layout layout = gp_plain_layout(0, 16);
    gp_layout word = gp_reference_layout(GP_OWN_CONSERVATIVE, GP_WORD_PLAIN);
    while (layout.size < DEFAULT_ACTOR_BYTES)
        gp_layout_append(&layout, &word, NULL, false);
    layout.extra = (gp_inhabitants){0};
    layout.spares_known = false;
    return layout;
}

static gp_layout builtin(const gp_swift_type *type) {
    switch (type->letter) {
    case 'i':
        if (type->bits == 1)
            return gp_bool_layout();
        // fall through: a number
    case 'f': {
        uint32_t size = 1;
        while (size < MOST_NUMBER_BYTES && 8 * size < type->bits)
            size *= 2;
        return gp_plain_layout(size, size > 16 ? 16 : size);
    }
    case 'w':
    case 'c':
    case 'j':
        return gp_plain_layout(8, 8);
    case 'p':
        return gp_raw_pointer_layout();
    case 'o':
    case 'O':
        return gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    case 'b':
        return gp_reference_layout(GP_OWN_STRONG, GP_WORD_BRIDGE);
    case 'D':
        return actor_storage();
    default:
        return gp_unknown_layout();
    }
}

static gp_layout reference_storage(const gp_swift_type *type, unsigned depth) {
    const gp_swift_type *referent = type->children[0];
    gp_layout layout = gp_layout_of_type(referent, depth + 1);
    if (!layout.sized || layout.size < 8 || layout.size % 8 != 0)
        return gp_unknown_layout();
    gp_layout word =
        gp_reference_layout(type->ownership, type->ownership == GP_OWN_WEAK ? GP_WORD_WEAK : GP_WORD_PLAIN);
    layout.steps = word.steps;
    if (type->ownership == GP_OWN_WEAK) {
        memset(layout.spare, 0, sizeof layout.spare);
        // Of the witness tables behind it; all words of such a value are too small for an address.
        layout.extra = (gp_inhabitants){.count = layout.size > 8 ? INT32_MAX : 0};
        layout.address_only = true;
    } else {
        const gp_layout words = gp_words_layout(&word, layout.size / 8);
        memcpy(layout.spare, words.spare, sizeof layout.spare);
        layout.spares_known = words.spares_known;
    }
    return layout;
}

static const char *const positions[] = {"0", "1", "2", "3", "4", "5", "6", "7"};

static const char *position_label(uintptr_t index) {
    return index < sizeof positions / sizeof *positions ? positions[index] : "…";
}

static gp_layout tuple(const gp_swift_type *type, unsigned depth) {
    gp_layout layout = gp_plain_layout(0, 1);
    for (uint32_t i = 0; i < type->count; i++) {
        gp_layout element = gp_layout_of_type(type->children[i], depth + 1);
        gp_layout_append(&layout, &element, type->names[i] != NULL ? type->names[i] : position_label(i), true);
    }
    return layout;
}

// A pointer to metadata, and to witness tables behind it: only the layout of references is meant, none owns anything.
static gp_layout metatype(uint32_t words) {
    gp_layout word = gp_reference_layout(GP_OWN_UNMANAGED, GP_WORD_PLAIN);
    word.steps = NULL;
    return gp_words_layout(&word, words);
}

static gp_layout thin_function(void) {
    gp_layout layout = metatype(1);
    layout.spare[0] = 0;
    return layout;
}

// Its convention: thin functions and those of C have no context.
static gp_layout function_of_metadata(uintptr_t metadata) {
    switch (gp_word_at(metadata + 8) >> 16 & 0xff) {
    case 0:
        return gp_function_layout();
    case 2:
    case 3:
        return thin_function();
    default:
        return gp_unknown_layout();
    }
}

static gp_layout nominal(const gp_swift_type *type, unsigned depth) {
    gp_layout layout;
    if (gp_standard_layout(type, depth, &layout))
        return layout;
    if (type->address == 0) {
        // Of a type that is only named, no more is known than whether it is a class.
        return type->letter == 'C' ? gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN) : gp_unknown_layout();
    }
    gp_bound_environment bound;
    const gp_generic_environment *environment = gp_bind_types(&bound, type);
    switch (gp_context_kind(type->address)) {
    case GP_CONTEXT_CLASS:
        return gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    case GP_CONTEXT_STRUCT:
        return gp_struct_layout(type->address, environment, depth);
    case GP_CONTEXT_ENUM:
        return gp_enum_layout(type->address, environment, depth);
    default:
        return gp_unknown_layout();
    }
}

gp_layout gp_layout_of_type(const gp_swift_type *type, unsigned depth) {
    if (depth > GP_LAYOUT_DEPTH || type == NULL)
        return gp_unknown_layout();
    switch (type->kind) {
    case GP_SHAPE_METADATA: {
        const gp_layout *layout = gp_layout_of_metadata(type->address);
        return layout == NULL ? gp_unknown_layout() : *layout;
    }
    case GP_SHAPE_NOMINAL:
        return nominal(type, depth);
    case GP_SHAPE_TUPLE:
        return tuple(type, depth);
    case GP_SHAPE_FUNCTION:
        return gp_function_layout();
    case GP_SHAPE_METATYPE:
        return metatype(1);
    case GP_SHAPE_THIN_FUNCTION:
        return thin_function();
    case GP_SHAPE_EXISTENTIAL_METATYPE:
        return metatype(1 + (uint32_t)type->witnesses);
    case GP_SHAPE_EXISTENTIAL:
        return gp_existential_layout(type);
    case GP_SHAPE_BUILTIN:
        return builtin(type);
    case GP_SHAPE_REFERENCE_STORAGE:
        return reference_storage(type, depth);
    case GP_SHAPE_BOX:
        return gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    default:
        return gp_unknown_layout();
    }
}

// The next of the labels that tuple metadata lists, each with a space behind it; an element without label has only that.
static const char *next_label(const char **labels) {
    if (*labels == NULL || **labels == '\0')
        return NULL;
    size_t length = strcspn(*labels, " ");
    char *copy = length == 0 ? NULL : gp_arena_allocate(length + 1);
    if (copy != NULL)
        memcpy(copy, *labels, length);
    *labels += length + ((*labels)[length] == ' ');
    return copy;
}

static gp_layout tuple_of_metadata(uintptr_t metadata) {
    gp_layout layout = gp_plain_layout(0, 1);
    uintptr_t count = gp_word_at(metadata + 8);
    const char *labels = (const char *)gp_word_at(metadata + 16);
    for (uintptr_t i = 0; i < count && i < 64; i++) {
        const gp_layout *element = gp_layout_of_metadata(gp_word_at(metadata + 24 + 16 * i));
        if (element == NULL)
            return gp_unknown_layout();
        const char *label = next_label(&labels);
        gp_layout_append(&layout, element, label != NULL ? label : position_label(i), true);
    }
    return layout;
}

static gp_layout existential_of_metadata(uintptr_t metadata) {
    enum { NOT_CLASS = 1u << 31, SPECIAL = 0x3f000000, WITNESSES = 0xffffff };
    uint32_t flags = gp_u32_at(metadata + 8);
    gp_swift_type type = {
        .kind = GP_SHAPE_EXISTENTIAL,
        .class_bound = (flags & NOT_CLASS) == 0,
        .is_error = (flags & SPECIAL) != 0,
        .witnesses = (uint8_t)(flags & WITNESSES),
    };
    return gp_existential_layout(&type);
}

// Of `any P<T>`: how many witness tables stand behind the value, its size says.
static gp_layout extended_existential_of_metadata(uintptr_t metadata, const gp_value_witnesses *witnesses) {
    gp_existential_shape shape;
    if (!gp_existential_shape_at(gp_word_at(metadata + 8), &shape))
        return gp_unknown_layout();
    uint32_t words = shape.form == GP_EXISTENTIAL_OPAQUE ? 4 : 1;
    if (witnesses->size < 8 * words)
        return gp_unknown_layout();
    gp_swift_type type = {.kind = GP_SHAPE_EXISTENTIAL,
                          .class_bound = shape.form == GP_EXISTENTIAL_CLASS,
                          .witnesses = (uint8_t)(witnesses->size / 8 - words)};
    return gp_existential_layout(&type);
}

static gp_layout by_parsing(uintptr_t metadata, const gp_value_witnesses *witnesses) {
    uintptr_t descriptor = gp_metadata_descriptor(metadata);
    switch (gp_metadata_kind(metadata)) {
    case GP_KIND_CLASS:
        return gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    case GP_KIND_STRUCT:
    case GP_KIND_ENUM:
    case GP_KIND_OPTIONAL: {
        gp_bound_environment bound;
        gp_bind_metadata(&bound, metadata);
        gp_swift_type type = {
            .kind = GP_SHAPE_NOMINAL,
            .address = descriptor,
            .name = gp_context_name(descriptor),
            .module = gp_context_module(descriptor),
            .count = (uint16_t)bound.environment.count,
            .children = bound.arguments,
        };
        return nominal(&type, 1);
    }
    case GP_KIND_TUPLE:
        return tuple_of_metadata(metadata);
    case GP_KIND_FUNCTION:
        return function_of_metadata(metadata);
    case GP_KIND_EXISTENTIAL:
        return existential_of_metadata(metadata);
    case GP_KIND_EXTENDED_EXISTENTIAL:
        return extended_existential_of_metadata(metadata, witnesses);
    case GP_KIND_METATYPE:
    case GP_KIND_EXISTENTIAL_METATYPE:
        return metatype(witnesses->size / 8);
    default:
        return gp_unknown_layout();
    }
}

// Parsing must come to the size that the runtime works with; otherwise it has misunderstood the type.
static gp_layout checked(uintptr_t metadata) {
    gp_value_witnesses witnesses;
    if (gp_metadata_is_readable(metadata) && gp_metadata_kind(metadata) == GP_KIND_CLASS)
        return gp_metadata_is_class(metadata) ? gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN) : gp_unknown_layout();
    if (!gp_value_witnesses_of(metadata, &witnesses))
        return gp_unknown_layout();
    gp_layout layout = by_parsing(metadata, &witnesses);
    if (layout.sized && layout.size == witnesses.size && layout.alignment == witnesses.alignment)
        return layout;
    if (!witnesses.plain)
        return gp_opaque_layout(witnesses.size, witnesses.alignment);
    layout = gp_plain_layout(witnesses.size, witnesses.alignment);
    layout.spares_known = false;
    return layout;
}

static const void *make_layout(uintptr_t metadata) {
    gp_layout *layout = gp_arena_allocate(sizeof *layout);
    if (layout != NULL)
        *layout = checked(metadata);
    return layout;
}

const gp_layout *gp_layout_of_metadata(uintptr_t metadata) {
    static gp_known layouts[1 << 14];
    return metadata == 0 ? NULL : gp_known_or_made(GP_KEY_TABLE(layouts), metadata, make_layout);
}
