// Existential containers: `any P`, Any, AnyObject, Error.
#include "TraceFormat.h"
#include "type_layout.h"
#include "word.h"

enum { OPAQUE_WORDS = 4, METADATA_WORD = 24 };

gp_layout gp_existential_layout(const gp_swift_type *type) {
    if (type->is_error) {
        return gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
    }
    if (type->class_bound) {
        gp_layout layout = gp_reference_layout(GP_OWN_STRONG, GP_WORD_PLAIN);
        layout.size = 8 * (1 + (uint32_t)type->witnesses);
        for (unsigned i = 1; i <= type->witnesses && i < GP_SPARE_WORDS; i++) {
            layout.spare[i] = layout.spare[0];
        }
        layout.spares_known &= type->witnesses < GP_SPARE_WORDS;
        return layout;
    }
    gp_layout layout = gp_plain_layout(8 * (OPAQUE_WORDS + (uint32_t)type->witnesses), 8);
    layout.steps = gp_new_step(GP_STEP_EXISTENTIAL, 0);
    layout.extra = (gp_inhabitants){.offset = METADATA_WORD, .width = 8, .count = GP_LEAST_POINTER};
    return layout;
}
