// References of any Swift object, by what kind of object its first word says it is.
#include "references.h"

#include "metadata.h"
#include "swift_types.h"
#include "walk.h"

gp_decoded gp_references(uintptr_t object, size_t size, gp_decode_mode mode, gp_reference_visitor visit,
                         void *context) {
    uintptr_t metadata = gp_word_at(object);
    int kind = gp_type_kind(metadata, size);
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
