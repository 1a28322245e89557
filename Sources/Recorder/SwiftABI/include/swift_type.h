// A type as a tree: what a mangled name says, with generic parameters already replaced.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    GP_SHAPE_UNKNOWN,
    GP_SHAPE_METADATA,  // `address`: full metadata
    GP_SHAPE_NOMINAL,  // `address`: descriptor, or 0 and a `name` in `module`; children: generic arguments
    GP_SHAPE_TUPLE,  // children: elements; `names`: their labels
    GP_SHAPE_FUNCTION,  // code and context
    GP_SHAPE_THIN_FUNCTION,  // code alone
    GP_SHAPE_METATYPE,  // one word
    GP_SHAPE_EXISTENTIAL_METATYPE,  // `witnesses` more words
    GP_SHAPE_EXISTENTIAL,  // `class_bound`, `is_error`, `witnesses`
    GP_SHAPE_PROTOCOL,
    GP_SHAPE_BUILTIN,  // `letter`, `bits`
    GP_SHAPE_REFERENCE_STORAGE,  // child: the type; `ownership`
    GP_SHAPE_BOX,  // a captured variable's box
    GP_SHAPE_INTEGER,  // a number as generic argument: `bits`
} gp_swift_type_kind;

typedef struct gp_swift_type {
    uint8_t kind;  // gp_swift_type_kind
    char letter;  // nominal: 'V', 'O', 'C' when only named; builtin: its letter
    uint8_t ownership;
    uint8_t witnesses;
    bool class_bound, is_error;
    uint16_t count;
    uint32_t bits;
    uintptr_t address;
    const char *name, *module;
    const struct gp_swift_type **children;
    const char **names;
} gp_swift_type;

// The generic arguments that stand for the parameters of a context, by depth and index.
typedef struct {
    const gp_swift_type *const *arguments;  // flat: outer parameters first
    unsigned count;
    const uint16_t *depths;  // depths[d]: parameters up to and including depth d
    unsigned depth_count;
} gp_generic_environment;
