// ManagedBuffer and what inherits from it: elements behind the header, of which only the owner knows how many there are.
#include "context_descriptor.h"
#include "live_table.h"
#include "metadata.h"
#include "walk.h"

uintptr_t gp_buffer_element_type(uintptr_t class) {
    enum { ELEMENT = 1 };
    if (!gp_context_is(gp_word_at(class + GP_CLASS_DESCRIPTOR), "Swift", "ManagedBuffer"))
        return 0;
    uintptr_t arguments = gp_metadata_arguments(class);
    return arguments == 0 ? 0 : gp_word_at(arguments + 8 * ELEMENT);
}

void gp_walk_buffer_elements(gp_walk *walk, uintptr_t element_type, uint32_t header_end) {
    const gp_layout *element = gp_layout_of_metadata(element_type);
    uint32_t stride = gp_stride_of(element_type);
    gp_block block;
    bool sized = element != NULL && element->sized && stride != 0;
    uintptr_t start = walk->object + gp_align_up(header_end, sized ? element->alignment : 8);
    uintptr_t end = walk->object + walk->size;
    // Without room for one element the rest is what the block's last owner left.
    if (start >= end || (gp_live_get(walk->object, &block) && start + (sized ? stride : 8) > walk->object + block.size))
        return;
    if (!sized) {
        walk->label_kind = GP_LABEL_ELEMENT;
        gp_walk_unknown(walk, start, end);
        return;
    }
    walk->guessed = true;
    gp_walk_elements(walk, element, stride, start, (end - start) / stride, GP_LABEL_ELEMENT);
    walk->guessed = false;
    walk->whole = false;
}
