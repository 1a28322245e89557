// Kind 0x501: the box of `any Error`.
#include "TraceFormat.h"
#include "metadata.h"
#include "walk.h"

enum { TYPE = 16, VALUE = 32 };

void gp_walk_error(gp_walk *walk) {
    walk->label_kind = GP_LABEL_BOX;
    uintptr_t type = walk->size >= VALUE ? gp_word_at(walk->object + TYPE) : 0;
    const gp_layout *layout = gp_metadata_is_readable(type) ? gp_layout_of_metadata(type) : NULL;
    uintptr_t offset = layout != NULL && layout->sized ? gp_align_up(VALUE, layout->alignment) : VALUE;
    if (layout == NULL || !layout->sized || offset + layout->size > walk->size) {
        gp_walk_unknown(walk, walk->object + TYPE, walk->object + walk->size);
        return;
    }
    gp_walk_steps(walk, layout->steps, walk->object + offset);
}
