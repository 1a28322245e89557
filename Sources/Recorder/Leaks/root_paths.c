#include "root_paths.h"

#include <string.h>

#include "system.h"
#include "TraceFormat.h"
#include "block_index.h"
#include "trace_writer.h"

enum { BLOCKS_ON_PATHS_MAX = 200000, HOLDERS_MAX = 4096 };

bool gp_paths_are_asked(const gp_path_request *request) {
    return request->object_count > 0 || request->growing_count > 0 || (request->patterns && request->patterns[0]);
}

// ------------------------------------------------------------------------------------------------------- holders

static void note_holder(uint32_t from, uint32_t to, void *context) {
    gp_root_paths *paths = context;
    if (!gp_set_has(paths->members, to) || paths->listed->number[from] || paths->holder_count == HOLDERS_MAX)
        return;
    for (uint32_t i = 0; i < paths->holder_count; i++)
        if (paths->holders[i] == from)
            return;
    paths->holders[paths->holder_count++] = from;
}

static void name_members(gp_root_paths *paths) {
    for (size_t i = 0; i < gp_set_size(paths->listed->index->count) / 8; i++)
        paths->named[i] |= paths->members[i];
}

// ------------------------------------------------------------------------------------------------------- listing

// Whether the path to the block is short enough to be listed whole.
static bool has_room(const gp_root_paths *paths, uint32_t block, uint32_t room) {
    const uint32_t *holder = paths->walk.holder;
    while (room > 0 && holder[block] >= GP_HELD_BY_BLOCK) {
        block = holder[block] - GP_HELD_BY_BLOCK;
        room--;
    }
    return room > 0;
}

static void list_path(gp_root_paths *paths, uint32_t block, gp_object_graph *listed, uint32_t *room) {
    const uint32_t *holder = paths->walk.holder;
    bool whole = has_room(paths, block, *room);
    gp_graph_add(listed, block, gp_place_of(&paths->places, block));
    while (whole && holder[block] >= GP_HELD_BY_BLOCK) {
        block = holder[block] - GP_HELD_BY_BLOCK;
        gp_graph_add(listed, block, gp_place_of(&paths->places, block));
        --*room;
    }
    if (holder[block] == GP_HELD_BY_ROOT)
        gp_set_add(paths->named, block);
}

void gp_paths_list(gp_root_paths *paths, const gp_path_request *request, struct gp_thread *thread,
                   gp_object_graph *listed) {
    const gp_block_index *index = listed->index;
    paths->listed = listed;
    paths->targets = (gp_path_targets){.request = *request, .index = index};
    paths->named = gp_set_new(index->count);
    paths->holders = gp_system_pages(HOLDERS_MAX * sizeof *paths->holders);
    if (!paths->named || !paths->holders || !gp_places_prepare(&paths->places, index) ||
        !gp_targets_find(&paths->targets, thread, paths->marked))
        return;
    paths->walk = (gp_root_walk){.roots = paths->roots,
                                 .index = index,
                                 .proved = paths->proved,
                                 .wanted = paths->targets.wanted,
                                 .progress = paths->progress};
    if (paths->members) {
        paths->walk.edge = note_holder;
        paths->walk.edge_context = paths;
    }
    if (!gp_root_walk_run(&paths->walk, paths->targets.wanted_count))
        return;
    paths->found = true;
    gp_targets_choose(&paths->targets, &paths->walk, &paths->places);
    uint32_t room = BLOCKS_ON_PATHS_MAX;
    for (uint32_t i = 0; i < paths->targets.target_count; i++)
        list_path(paths, paths->targets.targets[i].block, listed, &room);
    for (uint32_t i = 0; i < paths->holder_count; i++)
        list_path(paths, paths->holders[i], listed, &room);
    if (paths->members)
        name_members(paths);
}

// ------------------------------------------------------------------------------------------------------- writing

typedef struct {
    struct gp_thread *thread;
    const gp_object_graph *listed;
} writing;

static void write_root(const gp_root_name *name, void *context) {
    const writing *w = context;
    gp_heap_root record = {.header.kind = GP_HEAP_ROOT,
                           .object = w->listed->number[name->block],
                           .root_kind = name->kind,
                           .address = name->address,
                           .pc = name->pc,
                           .thread = name->thread};
    if (record.object)
        gp_write_record(w->thread, &record, sizeof record, NULL, 0);
}

static void write_target(const writing *w, gp_heap_target record, uint8_t cause, const char *label, size_t length) {
    record.header = (gp_record_header){.kind = GP_HEAP_TARGET, .flags = cause};
    gp_write_record(w->thread, &record, sizeof record, label, length);
}

static bool has_type(const gp_path_targets *targets, const char *pattern) {
    for (uint32_t i = 0; i < targets->type_count; i++)
        if (targets->types[i].pattern == pattern)
            return true;
    return false;
}

static void write_patterns(const writing *w, const gp_path_targets *targets) {
    for (uint32_t i = 0; i < targets->type_count; i++) {
        const gp_target_type *type = &targets->types[i];
        if (!type->pattern)
            continue;
        write_target(w, (gp_heap_target){.type = type->id, .count = type->count, .bytes = type->bytes}, GP_TARGET_TYPE,
                     type->pattern, type->pattern_length);
    }
    const char *line = targets->request.patterns;
    while (line && *line) {
        size_t length = strcspn(line, "\n");
        if (length && !has_type(targets, line))
            write_target(w, (gp_heap_target){.count = 0}, GP_TARGET_TYPE, line, length);
        line += length + (line[length] != 0);
    }
}

static void write_objects(const writing *w, const gp_path_targets *targets) {
    for (uint32_t i = 0; i < targets->target_count; i++) {
        const gp_target *target = &targets->targets[i];
        gp_heap_target record = {
            .object = w->listed->number[target->block], .count = target->count, .bytes = target->bytes};
        if (target->type == GP_NO_BLOCK) {
            const gp_path_target *object = &targets->request.objects[target->object];
            write_target(w, record, object->cause, object->label, object->label ? strlen(object->label) : 0);
        } else {
            const gp_target_type *type = &targets->types[target->type];
            record.type = type->id;
            write_target(w, record, type->pattern ? GP_TARGET_TYPE : GP_TARGET_GROWTH, type->pattern,
                         type->pattern_length);
        }
    }
    for (uint32_t i = 0; i < targets->request.object_count; i++) {
        const gp_path_target *object = &targets->request.objects[i];
        if (gp_index_exact(targets->index, ~object->hidden) == GP_NO_BLOCK)
            write_target(w, (gp_heap_target){.count = 0}, object->cause, object->label,
                         object->label ? strlen(object->label) : 0);
    }
}

void gp_paths_write(gp_root_paths *paths, struct gp_thread *thread, const gp_object_graph *listed) {
    if (!paths->found)
        return;
    writing w = {thread, listed};
    gp_root_names(paths->roots, paths->named, write_root, &w);
    write_patterns(&w, &paths->targets);
    write_objects(&w, &paths->targets);
}
