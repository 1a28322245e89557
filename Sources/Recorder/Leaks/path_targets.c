#include "root_paths.h"

#include <string.h>

#include "key_table.h"
#include "system.h"
#include "TraceFormat.h"
#include "live_table.h"
#include "object_kind.h"
#include "references.h"
#include "swift_types.h"

enum { TYPES_MAX = 4096, TARGETS_MAX = 4096, PATHS_MAX = 10, MEMO_BITS = 16, NAME_ROOM = 1024, HOLDERS_SEEN = 24 };
enum { NO_TYPE = -1 };

struct gp_target_memo {
    uint64_t word;
    int32_t type;  // place in the types, NO_TYPE: matches nothing
};

typedef struct {
    gp_path_targets *targets;
    struct gp_thread *thread;
    const uint64_t *marked;
} finding;

static size_t line_length(const char *line) {
    return strcspn(line, "\n");
}

static const char *pattern_for(const char *patterns, const char *name) {
    for (const char *line = patterns; *line; line += line_length(line) + (line[line_length(line)] != 0))
        if (gp_type_pattern_matches(line, line_length(line), name))
            return line;
    return NULL;
}

static int32_t find_type(const finding *f, uintptr_t metadata) {
    char name[NAME_ROOM];
    gp_path_targets *targets = f->targets;
    gp_type_name_of(metadata, name, sizeof name);
    const char *pattern = pattern_for(targets->request.patterns, name);
    if (!pattern || targets->type_count == TYPES_MAX)
        return NO_TYPE;
    targets->types[targets->type_count] = (gp_target_type){
        .id = gp_type_id(f->thread, metadata, SIZE_MAX), .pattern = pattern, .pattern_length = line_length(pattern)};
    return (int32_t)targets->type_count++;
}

static int32_t type_of(const finding *f, uintptr_t metadata) {
    const gp_key_table table = {f->targets->memos, sizeof *f->targets->memos, MEMO_BITS};
    bool is_new;
    struct gp_target_memo *memo = gp_key_entry(table, metadata, true, &is_new);
    if (is_new)
        memo->type = find_type(f, metadata);
    return memo ? memo->type : NO_TYPE;
}

static uint64_t size_of(uintptr_t block) {
    gp_block known;
    return gp_live_get(block, &known) ? known.size : 0;
}

// The place in the types of what may be growth.
static int32_t growing_of(const finding *f, uintptr_t start) {
    gp_block known;
    const gp_target_type *types = f->targets->types;
    if (!f->targets->growing || !gp_live_get(start, &known) || known.flags & GP_BLOCK_LOADER)
        return NO_TYPE;
    for (uint32_t i = 0; i < f->targets->growing; i++)
        if (types[i].stack == known.stack &&
            types[i].id == (known.size >= 16 ? gp_type_id(NULL, *(const uintptr_t *)start, known.size) : 0))
            return (int32_t)i;
    return NO_TYPE;
}

// What stands in C memory of an object that died there is no instance: its count says that it died, or the block is too
// small for one.
static bool is_instance(uintptr_t start, gp_kind kind) {
    gp_block known;
    return kind.kind == GP_TYPE_CLASS && !gp_reference_counts_of(start).deiniting &&
           !(gp_live_get(start, &known) && known.size < kind.instance_size);
}

static void want(const finding *f, int32_t type, uint32_t block, uintptr_t start) {
    if (type == NO_TYPE)
        return;
    f->targets->types[type].count++;
    f->targets->types[type].bytes += size_of(start);
    f->targets->wanted_count += gp_set_add(f->targets->wanted, block);
}

static bool consider(uint32_t block, uintptr_t start, void *context) {
    const finding *f = context;
    if (!gp_set_has(f->marked, block))
        return true;
    want(f, growing_of(f, start), block, start);
    if (f->targets->request.patterns && f->targets->request.patterns[0]) {
        gp_kind kind = gp_kind_of(start);
        want(f, is_instance(start, kind) ? type_of(f, kind.word) : NO_TYPE, block, start);
    }
    return true;
}

static void note_growing(gp_path_targets *targets) {
    const gp_path_request *request = &targets->request;
    for (size_t i = 0; i < request->growing_count && targets->type_count < TYPES_MAX; i++)
        targets->types[targets->type_count++] =
            (gp_target_type){.id = request->growing[i].type, .stack = request->growing[i].stack};
    targets->growing = targets->type_count;
}

static void consider_object(const finding *f, uint32_t object) {
    uintptr_t address = ~f->targets->request.objects[object].hidden;
    uint32_t block = gp_index_exact(f->targets->index, address);
    if (block == GP_NO_BLOCK || f->targets->target_count == TARGETS_MAX)
        return;
    f->targets->targets[f->targets->target_count++] =
        (gp_target){.block = block, .type = GP_NO_BLOCK, .object = object, .count = 1, .bytes = size_of(address)};
    if (gp_set_has(f->marked, block))
        f->targets->wanted_count += gp_set_add(f->targets->wanted, block);
}

bool gp_targets_find(gp_path_targets *targets, struct gp_thread *thread, const uint64_t *marked) {
    targets->wanted = gp_set_new(targets->index->count);
    targets->types = gp_system_pages(TYPES_MAX * sizeof *targets->types);
    targets->targets = gp_system_pages(TARGETS_MAX * sizeof *targets->targets);
    targets->memos = gp_system_pages((1 << MEMO_BITS) * sizeof *targets->memos);
    if (!targets->wanted || !targets->types || !targets->targets || !targets->memos)
        return false;
    finding f = {targets, thread, marked};
    for (uint32_t i = 0; i < targets->request.object_count; i++)
        consider_object(&f, i);
    note_growing(targets);
    if (targets->growing || (targets->request.patterns && targets->request.patterns[0]))
        gp_index_each(targets->index, consider, &f);
    return true;
}

// ------------------------------------------------------------------------------------------------------ choosing

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

// The types of the nearest holders; a row of equal ones (a list, a deep tree) counts once.
static uint64_t shape_of(const gp_root_walk *walk, const gp_block_places *places, uint32_t block) {
    uint64_t hash = 1, last = 0;
    for (int i = 0; i < HOLDERS_SEEN && walk->holder[block] >= GP_HELD_BY_BLOCK; i++) {
        block = walk->holder[block] - GP_HELD_BY_BLOCK;
        uintptr_t start = gp_place_of(places, block);
        gp_kind kind = gp_kind_of(start);
        uint64_t word = kind.kind < 0 ? 1 : kind.word;
        if (word != last)
            hash = mix(hash, word);
        last = word;
    }
    return mix(hash, walk->holder[block] == GP_HELD_BY_ROOT);
}

static void choose(gp_path_targets *targets, uint32_t type, uint32_t block, uintptr_t start, uint64_t shape) {
    for (uint32_t i = 0; i < targets->target_count; i++) {
        gp_target *target = &targets->targets[i];
        if (target->type != type || target->shape != shape)
            continue;
        target->count++;
        target->bytes += size_of(start);
        return;
    }
    if (targets->types[type].paths == PATHS_MAX || targets->target_count == TARGETS_MAX)
        return;
    targets->types[type].paths++;
    targets->targets[targets->target_count++] =
        (gp_target){.block = block, .type = type, .count = 1, .bytes = size_of(start), .shape = shape};
}

void gp_targets_choose(gp_path_targets *targets, const gp_root_walk *walk, const gp_block_places *places) {
    finding f = {.targets = targets};
    for (uint32_t i = 0; targets->type_count && i < walk->count; i++) {
        uintptr_t start = walk->queue[i];
        uint32_t block = gp_index_exact(walk->index, start);
        if (!gp_set_has(targets->wanted, block))
            continue;
        gp_kind kind = gp_kind_of(start);
        bool matches = targets->request.patterns && targets->request.patterns[0] && is_instance(start, kind);
        int32_t type = matches ? type_of(&f, kind.word) : NO_TYPE, growing = growing_of(&f, start);
        uint64_t shape = shape_of(walk, places, block);
        if (type != NO_TYPE)
            choose(targets, (uint32_t)type, block, start, shape);
        if (growing != NO_TYPE)
            choose(targets, (uint32_t)growing, block, start, shape);
    }
}
