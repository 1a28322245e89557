// Looking at a living object from within its program.
#include <malloc.h>

#include "safe_read.h"
#include "CRecorderInterface.h"
#include "images.h"
#include "reference_counts.h"
#include "swift_types.h"
#include "TraceFormat.h"

enum { HEADER = 16, LARGEST_WITHOUT_BLOCK = 4096 };

// An object that the compiler placed into an image has no block: then its class says how large it is.
static size_t size_of(uintptr_t object) {
    static bool known;
    if (!known)
        gp_images_refresh(NULL);
    known = true;
    return gp_image_find(NULL, object) ? LARGEST_WITHOUT_BLOCK : malloc_usable_size((void *)object);
}

gp_object_counts gp_object_count(const void *object) {
    gp_reference_counts counts = gp_reference_counts_of((uintptr_t)object);
    const uintptr_t table = gp_side_table_of((uintptr_t)object);
    uint8_t readable[GP_SIDE_TABLE_BYTES];
    if (counts.immortal && table && gp_safe_read(table, readable, sizeof readable))
        counts = gp_side_table_counts(table);
    if (counts.immortal)
        return (gp_object_counts){0};
    return (gp_object_counts){.strong = counts.strong, .unowned = counts.unowned, .weak = counts.weak};
}

size_t gp_class_name(uint64_t metadata, char *name, size_t capacity) {
    name[0] = 0;
    return gp_type_kind((uintptr_t)metadata, SIZE_MAX) < 0 ? 0 : gp_type_name_of((uintptr_t)metadata, name, capacity);
}

size_t gp_object_type_name(const void *object, char *name, size_t capacity) {
    uintptr_t word = 0;
    name[0] = 0;
    // What lies in front of a word that names no type is not looked at: there may be nothing.
    if (!gp_safe_read((uintptr_t)object, &word, sizeof word) || gp_type_kind(word, SIZE_MAX) < 0 ||
        gp_type_kind(word, size_of((uintptr_t)object)) < 0)
        return 0;
    return gp_type_name_of(word, name, capacity);
}
