// Looking at a living object from within its program.
#include <malloc.h>

#include "CCapture.h"
#include "images.h"
#include "references.h"
#include "swift_types.h"

enum { HEADER = 16, LARGEST_WITHOUT_BLOCK = 4096 };

// An object that the compiler placed into an image has no block: then its class says how large it is.
static size_t size_of(uintptr_t object) {
    static bool known;
    if (!known)
        gp_images_refresh(NULL);
    known = true;
    return gp_image_find(NULL, object) ? LARGEST_WITHOUT_BLOCK : malloc_usable_size((void *)object);
}

typedef struct {
    gp_object_visitor visit;
    void *context;
} visitor;

static void pass_on(const gp_reference *reference, void *context) {
    const visitor *to = context;
    if (!reference->target)
        return;
    gp_object_reference seen = {
        .target = (const void *)reference->target,
        .label = reference->label,
        .position = reference->position,
        .ownership = reference->ownership,
        .label_kind = reference->label_kind,
    };
    to->visit(&seen, to->context);
}

void gp_object_each_reference(const void *object, gp_object_visitor visit, void *context) {
    visitor to = {visit, context};
    gp_references((uintptr_t)object, size_of((uintptr_t)object), GP_DECODE_LABELS, pass_on, &to);
}

gp_object_counts gp_object_count(const void *object) {
    gp_reference_counts counts = gp_reference_counts_of((uintptr_t)object);
    return (gp_object_counts){.strong = counts.strong, .unowned = counts.unowned, .weak = counts.weak};
}

size_t gp_object_type_name(const void *object, char *name, size_t capacity) {
    uintptr_t word = *(const uintptr_t *)object;
    if (gp_type_kind(word, size_of((uintptr_t)object)) < 0) {
        name[0] = 0;
        return 0;
    }
    return gp_type_name_of(word, name, capacity);
}
