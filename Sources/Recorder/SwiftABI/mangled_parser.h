// Between the files that parse mangled names: the parser's state, its cursor and stack, and an operator each.
#pragma once

#include "swift_type.h"

enum { GP_NAME_STACK = 48, GP_NAME_SUBSTITUTIONS = 64 };

// What lies on the stack.
typedef enum {
    GP_ITEM_TYPE,
    GP_ITEM_IDENTIFIER,
    GP_ITEM_MODULE,
    GP_ITEM_EMPTY,  // an empty list
    GP_ITEM_FIRST,  // the item before it is the first of a list
    GP_ITEM_SHAPE,  // an existential with generic arguments, which follow
    GP_ITEM_NOTE,  // an attribute of a function type
} gp_name_item_kind;

typedef struct {
    gp_name_item_kind kind;
    const gp_swift_type *type;
    const char *text;
} gp_name_item;

typedef struct {
    uintptr_t begin, next, end;
    const gp_generic_environment *environment;
    gp_name_item stack[GP_NAME_STACK];
    unsigned depth;
    gp_name_item substitutions[GP_NAME_SUBSTITUTIONS];
    unsigned substitution_count;
    bool failed;
} gp_name_parser;

extern const gp_swift_type gp_unknown_type;

// Gives up: the name says something that is not known here. False, for the operator that it ends.
bool gp_parse_fail(gp_name_parser *p);

bool gp_parse_push(gp_name_parser *p, gp_name_item_kind kind, const gp_swift_type *type, const char *text);

// A new type without children.
bool gp_parse_push_new(gp_name_parser *p, gp_swift_type_kind kind);

// A type in arena memory with room for `children`; NULL, and the parser fails, when there is none.
gp_swift_type *gp_parse_new_type(gp_name_parser *p, gp_swift_type_kind kind, unsigned children);

// Takes the last item off if it is of that kind; it can still be read at stack[depth].
bool gp_parse_pop(gp_name_parser *p, gp_name_item_kind kind);

// NULL: the last item is no type.
const gp_swift_type *gp_parse_pop_type(gp_name_parser *p);

// The last item may be abbreviated later in the name.
bool gp_parse_remember(gp_name_parser *p);

uint8_t gp_parse_byte(gp_name_parser *p);

// Steps over `letter` if it is next.
bool gp_parse_next_is(gp_name_parser *p, char letter);

unsigned gp_parse_natural(gp_name_parser *p);

// `_` is 0, `0_` is 1, `1_` is 2 …
unsigned gp_parse_index(gp_name_parser *p);

// Operators, called when their letter (`kind`: the byte of the reference) has been read. False: the parser has failed.
bool gp_parse_symbolic_reference(gp_name_parser *p, uint8_t kind);
bool gp_parse_identifier(gp_name_parser *p);
bool gp_parse_named_type(gp_name_parser *p, char letter);
bool gp_parse_bound_generic(gp_name_parser *p);
bool gp_parse_optional(gp_name_parser *p);
bool gp_parse_standard_substitution(gp_name_parser *p);
bool gp_parse_substitution(gp_name_parser *p);
bool gp_parse_generic_parameter(gp_name_parser *p, unsigned depth, unsigned index);
bool gp_parse_parameter_by_index(gp_name_parser *p);
bool gp_parse_dependent_member(gp_name_parser *p);
bool gp_parse_requirement(gp_name_parser *p);
bool gp_parse_parameter_counts(gp_name_parser *p);

// Takes the arguments of a generic type, or of a substitution, off the stack, the last first, into `arguments` (NULL: they
// are not needed; room for GP_NAME_STACK). Returns how many; −1, and the parser fails, when there is no such list.
int gp_parse_pop_arguments(gp_name_parser *p, const gp_swift_type **arguments);
bool gp_parse_function(gp_name_parser *p, gp_swift_type_kind kind);
bool gp_parse_lowered_function(gp_name_parser *p);
bool gp_parse_annotation(gp_name_parser *p);
bool gp_parse_existential_metatype(gp_name_parser *p);
bool gp_parse_existential_shape(gp_name_parser *p, uintptr_t shape);
bool gp_parse_extended_existential(gp_name_parser *p);
bool gp_parse_class_existential(gp_name_parser *p, bool with_superclass);

// Takes a list of protocols off the stack. NULL: the parser has failed.
gp_swift_type *gp_parse_protocols(gp_name_parser *p);
