// The living objects whose paths from a root a snapshot is to report: by the names of their types, or one by one.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uintptr_t hidden;  // complement of its address: the question itself must not be what shows it
    const char *label;  // what the caller calls it, may be NULL
    uint8_t cause;  // GP_TARGET_*
} gp_path_target;

typedef struct {
    const char *patterns;  // of types, one a line; empty or NULL: none
    const gp_path_target *objects;
    size_t object_count;
} gp_path_request;
