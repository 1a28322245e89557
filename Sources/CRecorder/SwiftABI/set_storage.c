// Set storage: a bitmap of occupied buckets, then the elements.
#include "TraceFormat.h"
#include "hash_table.h"
#include "metadata.h"
#include "walk.h"

enum { ELEMENTS = 48, BITMAP = 56 };

void gp_walk_set_storage(gp_walk *walk, uintptr_t metadata) {
    uintptr_t arguments = gp_metadata_arguments(metadata);
    gp_hash_table table;
    uintptr_t type = arguments == 0 ? 0 : gp_word_at(arguments);
    const gp_layout *element = type == 0 ? NULL : gp_layout_of_metadata(type);
    uint32_t stride = type == 0 ? 0 : gp_stride_of(type);
    uintptr_t elements = gp_word_at(walk->object + ELEMENTS);
    if (element == NULL || !gp_hash_table_of(walk->object, walk->size, BITMAP, &table) ||
        !gp_walk_holds(walk, elements, table.buckets, stride)) {
        gp_walk_unknown(walk, walk->object + ELEMENTS, walk->object + walk->size);
        return;
    }
    walk->label_kind = GP_LABEL_ELEMENT;
    for (uint64_t bucket = 0; bucket < table.buckets; bucket++) {
        if (gp_hash_table_has(&table, bucket)) {
            walk->position = (uint32_t)bucket;
            gp_walk_steps(walk, element->steps, elements + bucket * stride);
        }
    }
}
