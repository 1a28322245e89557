// The shape of existential types with generic arguments, `any P<T>`: which protocols its values conform to.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum { GP_EXISTENTIAL_OPAQUE = 0, GP_EXISTENTIAL_CLASS = 1 } gp_existential_form;

typedef struct {
    gp_existential_form form;
    uint32_t arguments;  // generic arguments that its metadata holds, types first
    uint32_t count;  // requirements
    uint32_t witnesses;  // of them conformances to protocols
    uintptr_t requirements;
} gp_existential_shape;

// False: no shape lies there, or one that says something that is not known here.
bool gp_existential_shape_at(uintptr_t address, gp_existential_shape *shape);

// The descriptor of the protocol that requirement `index` asks for, 0: it asks for something else.
uintptr_t gp_existential_protocol(const gp_existential_shape *shape, uint32_t index);
