// The layout of stored values: size, extra inhabitants, spare bits, and the steps that lead to the references inside.
#pragma once

#include "swift_type.h"

// Values of `width` bytes at `offset` that no value of the type has: first … first + count − 1. Width 0: they are there,
// but which they are is not needed.
typedef struct {
    uint32_t offset;
    uint32_t count;
    uint64_t first;
    uint8_t width;
    uint8_t bits;  // only so many low bits count, the others are an outer enum's; 0: all
    bool descending;  // an enum around takes the highest first
} gp_inhabitants;

#define GP_SPARE_WORDS 16

typedef enum {
    GP_STEP_REFERENCE,  // one word that names an object
    GP_STEP_FUNCTION,  // code, then context
    GP_STEP_PART,  // children at `offset`, called `label` (NULL: no name of its own)
    GP_STEP_PAYLOAD,  // children, unless the value is one of `none`
    GP_STEP_CASES,  // children[tag]: the payload cases of an enum
    GP_STEP_EXISTENTIAL,  // a value whose metadata stands beside it
    GP_STEP_UNKNOWN,  // `extent` bytes that may hold anything
} gp_step_kind;

typedef enum {
    GP_WORD_PLAIN,  // address, perhaps with spare bits used by an enum around it
    GP_WORD_BRIDGE,  // BridgeObject: nothing owned when the highest bit is set
    GP_WORD_WEAK,  // address of a side table
} gp_word_encoding;

typedef struct gp_step {
    uint8_t kind, ownership, encoding;
    uint8_t tag_bytes;  // CASES: width of the extra tag behind the payload
    uint8_t tag_bits;  // CASES: how many of its low bits count
    bool constant;  // a property of a class, declared with `let`
    bool not_weak;  // a labelled step: what lies there cannot be declared weak, whatever it holds
    uint32_t offset, extent;
    uint32_t count;  // CASES: payload cases
    const char *label;
    gp_inhabitants none;
    const uint64_t *tag_mask;  // CASES: GP_SPARE_WORDS: bits of the payload that hold the tag's low bits
    const struct gp_step **cases;
    const struct gp_step *children;
    const struct gp_step *next;
} gp_step;

typedef struct {
    bool sized;  // size and alignment are known
    bool spares_known;  // `spare` says which bits are unused
    bool address_only;  // never held in registers: an enum with such a payload uses none of them
    uint32_t size, alignment;
    gp_inhabitants extra;
    uint64_t spare[GP_SPARE_WORDS];
    const gp_step *steps;  // NULL: nothing that could be a reference
} gp_layout;

// Values nested deeper are unknown.
#define GP_LAYOUT_DEPTH 24

// The layout of `type`, by parsing alone.
gp_layout gp_layout_of_type(const gp_swift_type *type, unsigned depth);

// The layout of a value with full metadata at hand; kept, so that it is computed once.
const gp_layout *gp_layout_of_metadata(uintptr_t metadata);

// The layout of the stored properties of a struct descriptor, and of an enum descriptor.
gp_layout gp_struct_layout(uintptr_t descriptor, const gp_generic_environment *environment, unsigned depth);
gp_layout gp_enum_layout(uintptr_t descriptor, const gp_generic_environment *environment, unsigned depth);

// The layout of Optional<payload>, and of any enum with one payload case and `empty_cases` others.
gp_layout gp_single_payload_layout(const gp_layout *payload, const char *label, uint32_t empty_cases);

// Types of the standard library whose layout is known by name; false: none of them.
bool gp_standard_layout(const gp_swift_type *type, unsigned depth, gp_layout *layout);

gp_layout gp_existential_layout(const gp_swift_type *type);

// GP_OWN_* of reference storage by the last letter of its mangling: `Xw` weak, `Xo` unowned, `Xu` unowned(unsafe).
uint8_t gp_ownership_of_storage(char letter);

// True for a structure of the standard library that is one pointer and owns nothing: Unmanaged and unsafe pointers.
bool gp_is_unowning_pointer(const char *name);

// The layouts of leaves.
gp_layout gp_reference_layout(uint8_t ownership, gp_word_encoding encoding);
gp_layout gp_plain_layout(uint32_t size, uint32_t alignment);
gp_layout gp_words_layout(const gp_layout *first, uint32_t count);  // pointers behind it that own nothing
gp_layout gp_function_layout(void);
gp_layout gp_bool_layout(void);
gp_layout gp_raw_pointer_layout(void);  // owns nothing; only the null pointer is no value of it
gp_layout gp_unknown_layout(void);
gp_layout gp_opaque_layout(uint32_t size, uint32_t alignment);

// Puts `field` behind what is in `aggregate` already; as gp_part has it.
void gp_layout_append(gp_layout *aggregate, const gp_layout *field, const char *label, bool not_weak);

// A new step in arena memory; NULL when there is none.
gp_step *gp_new_step(gp_step_kind kind, uint32_t offset);

// `steps` as a part called `label` at `offset`; NULL when there are no steps. `not_weak`: it cannot be declared weak, as the
// payload of an enum's case, or a property of a generic parameter's type.
const gp_step *gp_part(const gp_step *steps, uint32_t offset, const char *label, bool not_weak);

// Puts `more` (a part of its own) behind `steps`; returns the first.
const gp_step *gp_steps_append(const gp_step *steps, const gp_step *more);

// Calls `visit` for each field record of a nominal type, in order.
typedef struct {
    uint32_t index;
    bool indirect;  // an enum case whose payload lies in a box
    bool constant;  // a property declared with `let`, or a case
    uintptr_t type_name;  // mangled; 0: none (a case without payload)
    const char *name;
} gp_field;
// Whether the declared type is a generic parameter of the declaration that may stand for other types than classes, or one
// of its associated types, optional or not.
bool gp_field_is_parameter(uintptr_t descriptor, const gp_field *field);

uint32_t gp_field_count(uintptr_t descriptor);
bool gp_field_at(uintptr_t descriptor, uint32_t index, gp_field *field);

// What a source calls the property that a field record names: without what the compiler put in front of it, and what a macro did
// if its class is `observable`.
const char *gp_source_name(const char *name, bool observable);

// The name of the property that holds the byte at `offset` of a class's instances, NULL: not a class, or no property is known
// there.
const char *gp_field_name(uintptr_t metadata, uint32_t offset);

// The environment of a nominal type whose arguments are known as types, or as a metadata's argument vector.
typedef struct {
    gp_generic_environment environment;
    uint16_t depths[24];
    const gp_swift_type *arguments[32];
} gp_bound_environment;
const gp_generic_environment *gp_bind_types(gp_bound_environment *bound, const gp_swift_type *type);
const gp_generic_environment *gp_bind_metadata(gp_bound_environment *bound, uintptr_t metadata);
