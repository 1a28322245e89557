// Boxes of one value: kind 0x500, whose value's type the runtime knows, and kind 0x501, of `any Error`.
#include "TraceFormat.h"
#include "metadata.h"
#include "walk.h"

// In the metadata of a box; in the box of an error.
enum { VALUE_OFFSET = 8, VALUE_TYPE = 16, ERROR_TYPE = 16, ERROR_VALUE = 32 };

void gp_walk_generic_box(gp_walk *walk, uintptr_t metadata) {
    const gp_layout *layout = gp_layout_of_metadata(gp_word_at(metadata + VALUE_TYPE));
    uint32_t offset = gp_u32_at(metadata + VALUE_OFFSET);
    walk->label_kind = GP_LABEL_BOX;
    if (layout == NULL || !layout->sized || offset + layout->size > walk->size) {
        gp_walk_unknown(walk, walk->object + GP_OBJECT_HEADER, walk->object + walk->size);
        return;
    }
    gp_walk_steps(walk, layout->steps, walk->object + offset);
}

void gp_walk_error(gp_walk *walk) {
    walk->label_kind = GP_LABEL_BOX;
    uintptr_t type = walk->size >= ERROR_VALUE ? gp_word_at(walk->object + ERROR_TYPE) : 0;
    const gp_layout *layout = gp_metadata_is_readable(type) ? gp_layout_of_metadata(type) : NULL;
    uintptr_t offset = layout != NULL && layout->sized ? gp_align_up(ERROR_VALUE, layout->alignment) : ERROR_VALUE;
    if (layout == NULL || !layout->sized || offset + layout->size > walk->size) {
        gp_walk_unknown(walk, walk->object + ERROR_TYPE, walk->object + walk->size);
        return;
    }
    gp_walk_steps(walk, layout->steps, walk->object + offset);
}
