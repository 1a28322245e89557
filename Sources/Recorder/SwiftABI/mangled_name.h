// Mangled type names of the runtime's metadata: text with symbolic references.
#pragma once

#include "swift_type.h"

// The type that the mangled name at `name` means in `environment` (NULL: no generic parameters). Never NULL unless
// memory ran out; of kind GP_SHAPE_UNKNOWN where the name says something that is not known here. Arena memory.
const gp_swift_type *gp_type_of_mangled_name(uintptr_t name, const gp_generic_environment *environment);

// The node for full metadata at `metadata`.
const gp_swift_type *gp_type_of_metadata(uintptr_t metadata);

// The node for the number that a generic argument is. NULL: it is too large, or memory ran out.
const gp_swift_type *gp_type_of_integer(uintptr_t number);

// The descriptor of the type that an extension context extends, 0: not known. Allocates nothing.
uintptr_t gp_extended_type(uintptr_t extension);
