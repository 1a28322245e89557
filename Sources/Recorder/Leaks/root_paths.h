// The shortest paths from the roots: which block holds each living block, found breadth first over references that own.
//
// What stays (globals, mapped memory) is walked to its end before stacks and registers are: a word of a stack may be
// stale, or belong to a function that only borrows; then from libc's own variables (the buffers of its streams). Unmanaged
// references come last, for what nothing else leads to.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_index.h"
#include "count_rows.h"
#include "object_graph.h"
#include "roots.h"

struct gp_thread;

enum { GP_NOT_REACHED = 0, GP_HELD_BY_ROOT = 1, GP_HELD_BY_BLOCK = 2 };  // the last: plus the holder's number

typedef struct {
    const gp_roots *roots;
    const gp_block_index *index;
    const uint64_t *proved;  // by block: no word holds these. NULL: none
    const uint64_t *wanted;  // by block: those whose path is asked for
    uint32_t *holder;  // by block: GP_NOT_REACHED, GP_HELD_BY_ROOT, or GP_HELD_BY_BLOCK + number of its holder
    uintptr_t *queue;  // starts of the blocks that were reached, nearest first
    uint32_t count;
    _Atomic uint32_t *progress;
    // Called for every reference that owns or is unmanaged, from a block that was reached; NULL: nobody is.
    void (*edge)(uint32_t from, uint32_t to, void *context);
    void *edge_context;

    uint32_t head, current;
    bool unmanaged;
    bool of_libc;  // libc's own variables are walked from, nothing else
} gp_root_walk;

// Walks; 12 bytes a block. `wanted_count`: how many blocks `wanted` has. False: no memory.
bool gp_root_walk_run(gp_root_walk *walk, uint32_t wanted_count);

// The living objects whose paths from a root are asked for: by the names of their types, or one by one.

// What is asked for.
// An object whose path from a root a snapshot is to report.
typedef struct {
    uintptr_t hidden;  // complement of its address: the question itself must not be what shows it
    const char *label;  // what the caller calls it, may be NULL
    uint8_t cause;  // GP_TARGET_*
} gp_path_target;

typedef struct {
    const char *patterns;  // of types, one a line; empty or NULL: none
    const gp_path_target *objects;
    size_t object_count;
    const gp_count_row *growing;
    size_t growing_count;
} gp_path_request;

// A type that matches a pattern, or the blocks of one type and stack that may be growth.
typedef struct {
    uint32_t id;  // of its gp_type
    uint32_t paths;  // how many targets stand for its objects
    const char *pattern;  // NULL: may be growth
    size_t pattern_length;
    uint32_t stack;  // of what may be growth
    uint64_t count, bytes;  // its living objects
} gp_target_type;

// An object that is listed with its path from a root.
typedef struct {
    uint32_t block;
    uint32_t type;  // place in the types, GP_NO_BLOCK: it was named by its address
    uint32_t object;  // place in the request's objects
    uint64_t count, bytes;  // objects of its type that are held by the same types
    uint64_t shape;  // of the path: its objects' types
} gp_target;

typedef struct {
    gp_path_request request;
    const gp_block_index *index;
    uint64_t *wanted;  // by block
    uint32_t wanted_count;
    gp_target_type *types;
    uint32_t type_count;
    uint32_t growing;  // the first so many of the types may be growth
    gp_target *targets;
    uint32_t target_count;
    struct gp_target_memo *memos;  // by first word
} gp_path_targets;

// Finds the objects among the living (`marked`, by block). Writes the records of types. False: no memory.
bool gp_targets_find(gp_path_targets *targets, struct gp_thread *thread, const uint64_t *marked);

// Chooses one object for each way in which those of a type are held, the nearest to a root, at most ten for a type.
void gp_targets_choose(gp_path_targets *targets, const gp_root_walk *walk, const gp_block_places *places);

// Whether a type is meant by a pattern as users write it: `Board` and `B*d` mean `Game.Board`, `Box` means every
// `Game.Box<…>`, `Box<Card>` means `Game.Box<Game.Card>`.

// `pattern`: `length` characters, in which `*` stands for any characters and `?` for one. `name`: as gp_type_name_of
// writes it.
bool gp_type_pattern_matches(const char *pattern, size_t length, const char *name);

// Why objects live: the shortest path from a root to each object that was asked for, and to whatever holds a member of a
// living cycle from outside.

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
