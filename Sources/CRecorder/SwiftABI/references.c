// References of any Swift object, by what kind of object its first word says it is.
#include "references.h"

#include "TraceFormat.h"
#include "key_table.h"
#include "metadata.h"
#include "reference_plan.h"
#include "swift_types.h"
#include "walk.h"

// Kinds already told apart. An entry's word is set once, its kind follows.
typedef struct {
    uint64_t word;
    uint32_t kind;  // GP_TYPE_* + 1, 0: not yet known
    uint32_t size;  // the least size of such a block
} known_kind;

static known_kind kinds[1 << 13];

static int kind_of(uintptr_t word, size_t size) {
    const known_kind *known = word == 0 ? NULL : gp_key_find(GP_KEY_TABLE(kinds), word);
    const uint32_t found = known == NULL ? 0 : __atomic_load_n(&known->kind, __ATOMIC_ACQUIRE);
    if (found != 0) {
        return size < known->size ? -1 : (int)found - 1;
    }
    const int kind = gp_type_kind(word, size);
    bool is_new = false;
    known_kind *entry = kind < 0 ? NULL : gp_key_entry(GP_KEY_TABLE(kinds), word, true, &is_new);
    if (is_new) {
        entry->size = kind == GP_TYPE_CLASS ? gp_u32_at(word + GP_CLASS_INSTANCE_SIZE) : GP_OBJECT_HEADER;
        __atomic_store_n(&entry->kind, (uint32_t)kind + 1, __ATOMIC_RELEASE);
    }
    return kind;
}

gp_decoded gp_references(uintptr_t object, size_t size, gp_decode_mode mode, gp_reference_visitor visit,
                         void *context) {
    uintptr_t metadata = gp_word_at(object);
    int kind = kind_of(metadata, size);
    if (kind < 0) {
        return GP_DECODED_NONE;
    }
    gp_walk walk;
    walk.object = object;
    walk.size = size;
    walk.mode = mode;
    walk.visit = visit;
    walk.context = context;
    walk.whole = true;
    walk.guessed = false;
    walk.label_kind = GP_LABEL_NONE;
    walk.position = 0;
    walk.declared_type = 0;
    walk.depth = 0;
    walk.path = gp_text_in(walk.label, sizeof walk.label);
    switch (kind) {
    case GP_TYPE_CLASS:
        gp_walk_class(&walk, metadata);
        break;
    case GP_TYPE_LOCAL:
        gp_walk_local(&walk, metadata);
        break;
    case GP_TYPE_GENERIC_BOX:
        gp_walk_generic_box(&walk, metadata);
        break;
    case GP_TYPE_ERROR:
        gp_walk_error(&walk);
        break;
    default:
        gp_walk_task(&walk);
    }
    return walk.whole ? GP_DECODED_ALL : GP_DECODED_PART;
}

gp_reference_plan gp_plan_of(uintptr_t metadata, int kind) {
    switch (kind) {
    case GP_TYPE_CLASS:
        return gp_class_plan(metadata);
    case GP_TYPE_LOCAL:
        return gp_local_plan(metadata);
    default:
        return (gp_reference_plan){.fixed = false};
    }
}
