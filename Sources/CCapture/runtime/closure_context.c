// Kind 0x400: closure contexts, boxes of captured variables, payload boxes. A capture descriptor lists what they hold.
#include "TraceFormat.h"
#include "arena.h"
#include "context_descriptor.h"
#include "images.h"
#include "layout.h"
#include "mangled_name.h"
#include "metadata.h"
#include "walk.h"

enum { FIRST_CAPTURE = 8, DESCRIPTOR = 16, CAPTURES = 12, MOST_CAPTURES = 256, PROGRAMS = 1 << 13 };

typedef struct capture {
    const gp_step *steps;
    uint32_t offset, end;
    struct capture *next;
} capture;

typedef struct {
    const capture *captures;
    uint32_t end;  // of the captures that are understood
    uint32_t binding_start, binding_end;
    bool understood;  // all of them
    bool is_box;  // one value that no closure would need a context for
} context_program;

static struct {
    uintptr_t metadata;
    const context_program *program;
} programs[PROGRAMS];

static bool is_single_reference(const gp_step *steps) {
    while (steps != NULL && steps->next == NULL && (steps->kind == GP_STEP_PART || steps->kind == GP_STEP_PAYLOAD)) {
        steps = steps->children;
    }
    return steps != NULL && steps->next == NULL && steps->kind == GP_STEP_REFERENCE;
}

static void read_captures(context_program *program, uintptr_t metadata) {
    uintptr_t descriptor = gp_word_at(metadata + DESCRIPTOR);
    uint32_t offset = GP_OBJECT_HEADER;
    program->end = offset;
    if (descriptor == 0 || !gp_address_is_readable_image(descriptor, CAPTURES)) {
        return;
    }
    uint32_t count = gp_u32_at(descriptor), bindings = gp_u32_at(descriptor + 8);
    if (count > MOST_CAPTURES || bindings > MOST_CAPTURES) {
        return;
    }
    program->binding_start = offset;
    offset += 8 * bindings;
    program->binding_end = program->end = offset;
    capture **last = (capture **)&program->captures;
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t name = gp_relative_at(descriptor + CAPTURES + 4 * (uintptr_t)i);
        gp_layout layout = name == 0 ? gp_unknown_layout() : gp_layout_of_type(gp_type_of_mangled_name(name, NULL), 0);
        capture *next = layout.sized ? gp_arena_allocate(sizeof *next) : NULL;
        if (next == NULL) {
            return;
        }
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

static const context_program *program_of(uintptr_t metadata) {
    uint32_t start = (uint32_t)((metadata * 0x9e3779b97f4a7c15ull) >> 51);
    for (uint32_t probe = 0; probe < 64; probe++) {
        uint32_t i = (start + probe) % PROGRAMS;
        uintptr_t present = __atomic_load_n(&programs[i].metadata, __ATOMIC_ACQUIRE);
        if (present == 0 && __atomic_compare_exchange_n(&programs[i].metadata, &present, metadata, false,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            present = metadata;
        }
        if (present != metadata) {
            continue;
        }
        const context_program *program = __atomic_load_n(&programs[i].program, __ATOMIC_ACQUIRE);
        if (program == NULL) {
            context_program *fresh = gp_arena_allocate(sizeof *fresh);
            if (fresh == NULL) {
                return NULL;
            }
            read_captures(fresh, metadata);
            __atomic_store_n(&programs[i].program, fresh, __ATOMIC_RELEASE);
            program = fresh;
        }
        return program;
    }
    return NULL;
}

// What the allocator hands out for a block of `size` bytes (glibc).
static size_t usable_for(size_t size) {
    size_t chunk = gp_align_up(size + 8, 16);
    return (chunk < 32 ? 32 : chunk) - 8;
}

void gp_walk_local(gp_walk *walk, uintptr_t metadata) {
    const context_program *program = program_of(metadata);
    walk->label_kind = GP_LABEL_CAPTURE;
    uintptr_t end = walk->object + walk->size;
    if (program == NULL || program->end > walk->size) {
        gp_walk_unknown(walk, walk->object + GP_OBJECT_HEADER, end);
        return;
    }
    bool exact = program->understood && walk->size <= usable_for(program->end) + 16;
    walk->label_kind = program->is_box ? GP_LABEL_BOX : GP_LABEL_CAPTURE;
    for (const capture *c = program->captures; c != NULL; c = c->next) {
        gp_walk_steps(walk, c->steps, walk->object + c->offset);
        walk->position++;
    }
    if (!exact) {
        gp_walk_unknown(walk, walk->object + program->end, end);
    }
}
