// Following the steps of a layout through a live value, and reporting the references found.
#pragma once

#include "TraceFormat.h"
#include "type_layout.h"
#include "references.h"
#include "text.h"

enum { GP_LABEL_BYTES = 256 };

typedef struct {
    uintptr_t object;
    size_t size;
    gp_decode_mode mode;
    gp_reference_visitor visit;
    void *context;
    bool whole;  // nothing was met that may be a reference without being known
    bool guessed;  // the values that are walked may be what is left of dead ones: no reference is sure
    uint8_t label_kind;
    uint32_t position;
    uintptr_t declared_type;
    bool not_weak;  // of the innermost label
    bool constant;  // of the outermost
    unsigned depth;
    gp_text path;
    size_t key_end;  // of a dictionary's value: where its key ends in `path`
    char label[GP_LABEL_BYTES];
} gp_walk;

// Reports the references of the value at `address`, inside the walk's object.
void gp_walk_steps(gp_walk *walk, const gp_step *steps, uintptr_t address);

// Reports each word between two addresses of the object that may be an address, as GP_OWN_CONSERVATIVE; the walk is then not
// whole.
void gp_walk_unknown(gp_walk *walk, uintptr_t start, uintptr_t end);

// Whether `count` values of `stride` bytes from `start` on lie in the object. All three may be anything.
static inline bool gp_walk_holds(const gp_walk *walk, uintptr_t start, uint64_t count, uint32_t stride) {
    const uintptr_t end = walk->object + walk->size;
    return stride != 0 && start >= walk->object && start <= end && count <= (end - start) / stride;
}

// Appends a component to the path of labels; returns what gp_walk_leave needs to take it off again.
static inline size_t gp_walk_enter(gp_walk *walk, const char *label) {
    size_t mark = walk->path.length;
    if (walk->mode == GP_DECODE_LABELS && label != NULL && *label != '\0') {
        bool behind_key = walk->label_kind == GP_LABEL_VALUE && mark == walk->key_end;
        gp_text_append(&walk->path, behind_key ? GP_KEY_END : mark == 0 || *label == '[' ? "" : ".");
        gp_text_append_name(&walk->path, label, strlen(label));
    }
    return mark;
}

static inline void gp_walk_leave(gp_walk *walk, size_t mark) {
    if (walk->mode == GP_DECODE_LABELS)
        gp_text_cut(&walk->path, mark);
}

// Reports one word. `function`: code of a closure whose context it is, else 0.
void gp_walk_report(gp_walk *walk, uintptr_t address, uintptr_t target, uint8_t ownership, uintptr_t function);

// One kind of object each; called with a walk whose object is of that kind.
void gp_walk_class(gp_walk *walk, uintptr_t metadata);
void gp_walk_local(gp_walk *walk, uintptr_t metadata);
void gp_walk_generic_box(gp_walk *walk, uintptr_t metadata);
void gp_walk_error(gp_walk *walk);

// Adds the references of a value at offset `base` of the object to a plan, which is no longer fixed when they depend on the
// value in a way that marking must know of.
void gp_plan_add(gp_reference_plan *plan, const gp_step *steps, uint32_t base);

// The plans of one kind of metadata each.
gp_reference_plan gp_class_plan(uintptr_t metadata);
gp_reference_plan gp_local_plan(uintptr_t metadata);

// Tail storage: `element` is repeated from `start`.
void gp_walk_elements(gp_walk *walk, const gp_layout *element, uint32_t stride, uintptr_t start, uint64_t count,
                      uint8_t label_kind);
void gp_walk_array_storage(gp_walk *walk, uintptr_t metadata);
void gp_walk_dictionary_storage(gp_walk *walk, uintptr_t metadata);
void gp_walk_set_storage(gp_walk *walk, uintptr_t metadata);
void gp_walk_string_storage(gp_walk *walk, uintptr_t metadata);

// As gp_storage_room_of, of one kind each.
bool gp_array_room(uintptr_t object, size_t size, uintptr_t metadata, gp_storage_room *room);
bool gp_hashed_room(uintptr_t object, size_t size, gp_storage_room *room);

// The hash table of the standard library's native dictionaries and sets.
typedef struct {
    uintptr_t bitmap;
    uint64_t buckets;
} gp_hash_table;

// The table of the storage at `object`, whose bitmap begins `bitmap` bytes behind it. False: not consistent.
bool gp_hash_table_of(uintptr_t object, uint64_t size, uint32_t bitmap, gp_hash_table *table);

bool gp_hash_table_has(const gp_hash_table *table, uint64_t bucket);

// The type of the elements behind instances when the class itself (not one it inherits from) is ManagedBuffer, else 0.
uintptr_t gp_buffer_element_type(uintptr_t class);

// The elements of a ManagedBuffer whose header ends at `header_end`.
void gp_walk_buffer_elements(gp_walk *walk, uintptr_t element_type, uint32_t header_end);

// The stride of a generic argument's values, 0: not known.
uint32_t gp_stride_of(uintptr_t metadata);
