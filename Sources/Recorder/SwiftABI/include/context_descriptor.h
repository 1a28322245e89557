// Context descriptors: modules, nominal types, extensions and protocols, as the compiler emitted them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "word.h"

enum {
    GP_CONTEXT_MODULE = 0,
    GP_CONTEXT_EXTENSION = 1,
    GP_CONTEXT_ANONYMOUS = 2,
    GP_CONTEXT_PROTOCOL = 3,
    GP_CONTEXT_CLASS = 16,
    GP_CONTEXT_STRUCT = 17,
    GP_CONTEXT_ENUM = 18,
};

// Of the descriptor of a class.
enum { GP_CLASS_FIELD_COUNT = 36, GP_CLASS_DESCRIPTOR_BYTES = 44 };

// How many levels of contexts are followed before a chain is held to be broken.
#define GP_CONTEXT_DEPTH 24

typedef struct {
    uint16_t parameters;  // of this context and all around it
    uint16_t arguments;  // words of the argument vector that stand for parameters and their conformances
    uint16_t requirement_count;
    uintptr_t requirements;
    uintptr_t kinds;  // one byte a parameter: bit 7 = has an argument, low bits 0 = type, 1 = pack, 2 = value
    uint16_t lengths;  // words in front of the argument vector: how many types the packs have, by shape
    uint16_t packs;
    uintptr_t pack_places;  // four numbers a pack: 0 = of types, its word in the vector, its shape, none
} gp_generic_signature;

// The word of the argument vector that says how long the pack of types in word `slot` is; −1: no pack lies there.
int gp_pack_length_slot(const gp_generic_signature *signature, unsigned slot);

static inline unsigned gp_context_kind(uintptr_t descriptor) {
    return gp_u32_at(descriptor) & 31;
}

static inline bool gp_context_is_generic(uintptr_t descriptor) {
    return (gp_u32_at(descriptor) & 0x80) != 0;
}

static inline bool gp_context_is_type(uintptr_t descriptor) {
    return gp_context_kind(descriptor) >= GP_CONTEXT_CLASS && gp_context_kind(descriptor) <= GP_CONTEXT_ENUM;
}

// The context around it, 0: none.
uintptr_t gp_context_parent(uintptr_t descriptor);

// The name of a module, nominal type or protocol; NULL: it has none that can be read.
const char *gp_context_name(uintptr_t descriptor);

// The generic signature of a nominal type; false: not generic, or not readable.
bool gp_context_signature(uintptr_t descriptor, gp_generic_signature *signature);

// The descriptor of the type that an extension extends, 0: none that can be read.
uintptr_t gp_extended_type(uintptr_t extension);

// Where the members that a class declares itself (generic arguments, then methods and field offsets) begin in its
// metadata, in bytes.
uintptr_t gp_class_arguments_offset(uintptr_t descriptor);

// The vector of field offsets of a class in its metadata, in bytes; 0: none.
uintptr_t gp_class_field_offsets(uintptr_t descriptor);
