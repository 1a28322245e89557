// References of any Swift object, by what kind of object its first word says it is.
#include "references.h"

#include "metadata.h"
#include "walk.h"

gp_decoded gp_references(uintptr_t object, size_t size, int kind, gp_decode_mode mode, gp_reference_visitor visit,
                         void *context) {
    if (kind < 0)
        return GP_DECODED_NONE;
    const uintptr_t metadata = gp_word_at(object);
    gp_walk walk;
    walk.object = object;
    walk.size = size;
    walk.mode = mode;
    walk.visit = visit;
    walk.context = context;
    walk.whole = true;
    walk.guessed = walk.not_weak = walk.constant = false;
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
    default:  // Tasks and jobs: their allocators leave stale words behind, so no word is a sure reference.
        walk.label_kind = GP_LABEL_TASK;
        gp_walk_unknown(&walk, object + GP_OBJECT_HEADER, object + size);
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
