#include "analysis_steps.h"

#include "TraceFormat.h"
#include "block_index.h"
#include "object_kind.h"
#include "references.h"

// A context, what adapts it to another type, and the box of a variable between them.
enum { NEAREST = 3 };

typedef struct {
    uintptr_t target;
    bool found;
} searching;

static void note_closure(const gp_reference *reference, void *context) {
    searching *s = context;
    s->found |= reference->function && reference->target == s->target;
}

// A closure with one capture has no context of its own: the object stands in its place.
static bool is_context_in(uintptr_t holder, size_t usable, int kind, uintptr_t object) {
    searching s = {.target = object};
    gp_references(holder, usable, kind, GP_DECODE_LABELS, note_closure, &s);
    return s.found;
}

static bool is_held_by_closure(const gp_root_paths *paths, uint32_t block) {
    uintptr_t object = gp_place_of(&paths->places, block);
    for (int i = 0; i < NEAREST && paths->walk.holder[block] >= GP_HELD_BY_BLOCK; i++) {
        block = paths->walk.holder[block] - GP_HELD_BY_BLOCK;
        const uintptr_t holder = gp_place_of(&paths->places, block);
        const size_t usable = gp_block_usable(holder);
        const gp_kind kind = gp_object_kind(holder, usable);
        if (kind.kind == GP_TYPE_LOCAL || kind.kind == GP_TYPE_TASK || kind.kind == GP_KIND_RAW)
            return true;
        if (is_context_in(holder, usable, kind.kind, object))
            return true;
        object = holder;
    }
    return false;
}

bool gp_closures_hold_growing(const gp_root_paths *paths) {
    const gp_path_targets *targets = &paths->targets;
    for (uint32_t i = 0; paths->found && i < targets->target_count; i++) {
        const gp_target *target = &targets->targets[i];
        if (target->type < targets->growing && is_held_by_closure(paths, target->block))
            return true;
    }
    return false;
}
