// The shape of existential types with generic arguments, `any P<T>`: which protocols its values conform to.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t arguments;  // generic arguments that its metadata holds, types first
    uint32_t count;  // requirements
    uintptr_t requirements;
} gp_existential_shape;

// False: no shape lies there, or one that says something that is not known here.
bool gp_existential_shape_at(uintptr_t address, gp_existential_shape *shape);

// The descriptor of the protocol that requirement `index` asks for, 0: it asks for something else.
uintptr_t gp_existential_protocol(const gp_existential_shape *shape, uint32_t index);
