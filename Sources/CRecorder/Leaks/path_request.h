// Whose ways from a root a snapshot is to tell.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "growth_rows.h"

// An object whose way from a root a snapshot is to tell.
typedef struct {
    uintptr_t hidden;  // complement of its address: the question itself must not be what shows it
    const char *label;  // what the caller calls it, may be NULL
} gp_path_target;

typedef struct {
    const char *patterns;  // of types, one a line; empty or NULL: none
    const gp_path_target *objects;
    size_t object_count;
    const gp_growth_row *growing;
    size_t growing_count;
} gp_path_request;
