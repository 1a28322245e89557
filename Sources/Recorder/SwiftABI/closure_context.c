// Kind 0x400: closure contexts, boxes of captured variables, payload boxes. A capture descriptor lists what they hold.
#include "TraceFormat.h"
#include "arena.h"
#include "images.h"
#include "key_table.h"
#include "type_layout.h"
#include "mangled_name.h"
#include "metadata.h"
#include "walk.h"

enum { DESCRIPTOR = 16, CAPTURES = 12, MOST_CAPTURES = 256 };

typedef struct capture {
    const gp_step *steps;
    uint32_t offset, end;
    struct capture *next;
} capture;

typedef struct {
    const capture *captures;
    uint32_t end;  // of the captures that are understood
    bool understood;  // all of them
    bool is_box;  // one value that no closure would need a context for
} context_program;

static bool is_single_reference(const gp_step *steps) {
    while (steps != NULL && steps->next == NULL && (steps->kind == GP_STEP_PART || steps->kind == GP_STEP_PAYLOAD))
        steps = steps->children;
    return steps != NULL && steps->next == NULL && steps->kind == GP_STEP_REFERENCE;
}

static void read_captures(context_program *program, uintptr_t metadata) {
    uintptr_t descriptor = gp_word_at(metadata + DESCRIPTOR);
    uint32_t offset = GP_OBJECT_HEADER;
    program->end = offset;
    if (descriptor == 0 || !gp_address_is_readable_image(descriptor, CAPTURES))
        return;
    uint32_t count = gp_u32_at(descriptor), bindings = gp_u32_at(descriptor + 8);
    if (count > MOST_CAPTURES || bindings > MOST_CAPTURES)
        return;
    offset += 8 * bindings;
    program->end = offset;
    capture **last = (capture **)&program->captures;
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t name = gp_relative_at(descriptor + CAPTURES + 4 * (uintptr_t)i);
        gp_layout layout = name == 0 ? gp_unknown_layout() : gp_layout_of_type(gp_type_of_mangled_name(name, NULL), 0);
        capture *next = layout.sized ? gp_arena_allocate(sizeof *next) : NULL;
        if (next == NULL)
            return;
        offset = (uint32_t)gp_align_up(offset, layout.alignment);
        *next = (capture){.steps = layout.steps, .offset = offset, .end = offset + layout.size};
        *last = next;
        last = &next->next;
        offset += layout.size;
        program->end = offset;
    }
    program->understood = true;
    program->is_box = count == 1 && bindings == 0 && is_single_reference(program->captures->steps);
}

static const void *make_program(uintptr_t metadata) {
    context_program *program = gp_arena_allocate(sizeof *program);
    if (program != NULL)
        read_captures(program, metadata);
    return program;
}

static const context_program *program_of(uintptr_t metadata) {
    static gp_known programs[1 << 13];
    return gp_known_or_made(GP_KEY_TABLE(programs), metadata, make_program);
}

void gp_walk_local(gp_walk *walk, uintptr_t metadata) {
    const context_program *program = program_of(metadata);
    walk->label_kind = GP_LABEL_CAPTURE;
    uintptr_t end = walk->object + walk->size;
    if (program == NULL || program->end > walk->size) {
        gp_walk_unknown(walk, walk->object + GP_OBJECT_HEADER, end);
        return;
    }
    bool exact = program->understood && walk->size <= gp_least_usable(program->end) + 16;
    walk->label_kind = program->is_box ? GP_LABEL_BOX : GP_LABEL_CAPTURE;
    for (const capture *c = program->captures; c != NULL; c = c->next) {
        gp_walk_steps(walk, c->steps, walk->object + c->offset);
        walk->position++;
    }
    if (!exact)
        gp_walk_unknown(walk, walk->object + program->end, end);
}

gp_reference_plan gp_local_plan(uintptr_t metadata) {
    const context_program *program = program_of(metadata);
    gp_reference_plan plan = {.fixed = program != NULL && program->understood};
    for (const capture *c = plan.fixed ? program->captures : NULL; c != NULL; c = c->next)
        gp_plan_add(&plan, c->steps, c->offset);
    return plan;
}
