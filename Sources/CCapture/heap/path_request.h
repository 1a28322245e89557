// Whose ways from a root a snapshot is to tell.
#ifndef GP_PATH_REQUEST_H
#define GP_PATH_REQUEST_H

#include <stddef.h>

#include "growth_rows.h"
#include "heap.h"

typedef struct {
    const char *patterns;  // of types, one a line; empty or NULL: none
    const gp_path_target *objects;
    size_t object_count;
    const gp_growth_row *growing;
    size_t growing_count;
} gp_path_request;

#endif
