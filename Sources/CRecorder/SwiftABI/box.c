// Kind 0x500: a box whose value's type the runtime knows.
#include "TraceFormat.h"
#include "metadata.h"
#include "walk.h"

enum { VALUE_OFFSET = 8, VALUE_TYPE = 16 };

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
