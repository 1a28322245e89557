// The living objects whose paths from a root are asked for: by the names of their types, or one by one.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"
#include "growth_rows.h"
#include "root_walk.h"
#include <stddef.h>

struct gp_thread;

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
