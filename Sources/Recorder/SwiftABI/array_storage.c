// Array storage: count, capacity, then the elements.
#include "TraceFormat.h"
#include "metadata.h"
#include "walk.h"

enum { COUNT = 16, CAPACITY = 24, ELEMENTS = 32 };

uint32_t gp_stride_of(uintptr_t metadata) {
    gp_value_witnesses witnesses;
    if (gp_metadata_is_readable(metadata) && gp_metadata_is_class(metadata))
        return 8;
    return gp_value_witnesses_of(metadata, &witnesses) ? witnesses.stride : 0;
}

void gp_walk_elements(gp_walk *walk, const gp_layout *element, uint32_t stride, uintptr_t start, uint64_t count,
                      uint8_t label_kind) {
    if (element->steps == NULL)
        return;
    walk->label_kind = label_kind;
    for (uint64_t i = 0; i < count; i++) {
        walk->position = (uint32_t)i;
        gp_walk_steps(walk, element->steps, start + i * stride);
    }
}

void gp_walk_array_storage(gp_walk *walk, uintptr_t metadata) {
    uintptr_t arguments = gp_metadata_arguments(metadata);
    uintptr_t type = arguments == 0 ? 0 : gp_word_at(arguments);
    const gp_layout *element = type == 0 ? NULL : gp_layout_of_metadata(type);
    uint32_t stride = type == 0 ? 0 : gp_stride_of(type);
    uint64_t count = gp_word_at(walk->object + COUNT);
    uintptr_t start = walk->object + gp_align_up(ELEMENTS, element == NULL || !element->sized ? 8 : element->alignment);
    if (element == NULL || !gp_walk_holds(walk, start, count, stride)) {
        gp_walk_unknown(walk, walk->object + ELEMENTS, walk->object + walk->size);
        return;
    }
    gp_walk_elements(walk, element, stride, start, count, GP_LABEL_ELEMENT);
}

bool gp_array_room(uintptr_t object, size_t size, uintptr_t metadata, gp_storage_room *room) {
    const uintptr_t arguments = gp_metadata_arguments(metadata), type = arguments == 0 ? 0 : gp_word_at(arguments);
    const uint32_t stride = type == 0 ? 0 : gp_stride_of(type);
    const uint64_t count = gp_word_at(object + COUNT), capacity = gp_word_at(object + CAPACITY) >> 1;
    if (stride == 0 || count > capacity || capacity > (size - ELEMENTS) / stride)
        return false;
    *room = (gp_storage_room){.start = object + ELEMENTS + count * stride,
                              .end = object + ELEMENTS + capacity * stride,
                              .unused = 1,
                              .places = 1};
    return true;
}
