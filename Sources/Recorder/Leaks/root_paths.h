// Why objects live: the shortest path from a root to each object that was asked for, and to whatever holds a member of a
// living cycle from outside.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "object_graph.h"
#include "path_targets.h"
#include "roots.h"

struct gp_thread;

typedef struct {
    const gp_roots *roots;
    const uint64_t *marked, *proved;  // by block; proved may be NULL
    _Atomic uint32_t *progress;

    uint64_t *members;  // by block: of living cycles, whose holders are listed too. NULL: none

    gp_path_targets targets;
    gp_root_walk walk;
    gp_block_places places;
    uint64_t *named;  // by block: the first of each path, and members that a root may name
    const gp_object_graph *listed;
    uint32_t *holders;  // blocks that hold members from outside
    uint32_t holder_count;
    bool found;
} gp_root_paths;

// Whether anything is asked for.
bool gp_paths_are_asked(const gp_path_request *request);

// Finds the paths and adds their blocks to `listed`, which has no edges yet. Without memory nothing is added.
void gp_paths_list(gp_root_paths *paths, const gp_path_request *request, struct gp_thread *thread,
                   gp_object_graph *listed);

// Writes the GP_HEAP_ROOT and GP_HEAP_TARGET records.
void gp_paths_write(gp_root_paths *paths, struct gp_thread *thread, const gp_object_graph *listed);
