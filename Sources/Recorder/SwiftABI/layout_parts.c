// The building blocks of layouts: leaves, and putting one value behind another.
#include "TraceFormat.h"
#include "arch.h"
#include "arena.h"
#include "type_layout.h"
#include "word.h"

// Bits of a pointer to a heap object that are zero.
static const uint64_t POINTER_SPARE = GP_OBJECT_SPARE_BITS;

gp_step *gp_new_step(gp_step_kind kind, uint32_t offset) {
    gp_step *step = gp_arena_allocate(sizeof *step);
    if (step != NULL) {
        step->kind = (uint8_t)kind;
        step->offset = offset;
    }
    return step;
}

const gp_step *gp_part(const gp_step *steps, uint32_t offset, const char *label, bool not_weak) {
    if (steps == NULL)
        return NULL;
    // A part that is one reference needs no step of its own: 5 million objects a second are walked by these.
    const bool is_single = steps->next == NULL && (steps->label == NULL || label == NULL) &&
                           (steps->kind == GP_STEP_REFERENCE || steps->kind == GP_STEP_FUNCTION);
    gp_step *part = gp_new_step(GP_STEP_PART, offset);
    if (part == NULL)
        return NULL;
    if (is_single) {
        *part = *steps;
        part->offset += offset;
    } else {
        part->children = steps;
    }
    part->label = part->label == NULL ? label : part->label;
    part->not_weak |= not_weak;
    return part;
}

const gp_step *gp_steps_append(const gp_step *steps, const gp_step *more) {
    if (steps == NULL)
        return more;
    gp_step *last = (gp_step *)steps;
    while (last->next != NULL)
        last = (gp_step *)last->next;
    last->next = more;
    return steps;
}

gp_layout gp_plain_layout(uint32_t size, uint32_t alignment) {
    return (gp_layout){.sized = true, .spares_known = true, .size = size, .alignment = alignment};
}

gp_layout gp_unknown_layout(void) {
    return (gp_layout){.sized = false, .alignment = 1, .steps = gp_new_step(GP_STEP_UNKNOWN, 0)};
}

gp_layout gp_opaque_layout(uint32_t size, uint32_t alignment) {
    gp_layout layout = {.sized = true, .size = size, .alignment = alignment};
    gp_step *step = gp_new_step(GP_STEP_UNKNOWN, 0);
    if (step != NULL)
        step->extent = size;
    layout.steps = step;
    return layout;
}

gp_layout gp_reference_layout(uint8_t ownership, gp_word_encoding encoding) {
    gp_layout layout = gp_plain_layout(8, 8);
    gp_step *step = gp_new_step(GP_STEP_REFERENCE, 0);
    if (step == NULL)
        return gp_opaque_layout(8, 8);
    step->ownership = ownership;
    step->encoding = (uint8_t)encoding;
    layout.steps = step;
    if (encoding != GP_WORD_WEAK) {
        // The highest byte of a plain pointer may hold the tag of an enum around it.
        layout.extra =
            (gp_inhabitants){.width = 8, .count = GP_LEAST_POINTER, .bits = encoding == GP_WORD_PLAIN ? 56 : 0};
    }
    layout.spare[0] = encoding == GP_WORD_PLAIN ? POINTER_SPARE : 0;
    return layout;
}

gp_layout gp_words_layout(const gp_layout *first, uint32_t count) {
    gp_layout layout = *first;
    layout.size = 8 * count;
    for (uint32_t i = 1; i < count && i < GP_SPARE_WORDS; i++)
        layout.spare[i] = layout.spare[0];
    layout.spares_known &= count <= GP_SPARE_WORDS;
    return layout;
}

gp_layout gp_bool_layout(void) {
    gp_layout layout = gp_plain_layout(1, 1);
    layout.extra = (gp_inhabitants){.width = 1, .first = 2, .count = 254};
    layout.spare[0] = 0xfe;
    return layout;
}

gp_layout gp_raw_pointer_layout(void) {
    gp_layout layout = gp_reference_layout(GP_OWN_CONSERVATIVE, GP_WORD_PLAIN);
    layout.extra.count = 1;
    layout.spare[0] = 0;
    return layout;
}

gp_layout gp_function_layout(void) {
    gp_layout layout = gp_plain_layout(16, 8);
    layout.steps = gp_new_step(GP_STEP_FUNCTION, 0);
    layout.extra = (gp_inhabitants){.width = 8, .count = GP_LEAST_POINTER};
    return layout;
}

// Shifts the bits of `field`, which stands at byte `offset`, into those of `aggregate`; padding counts as unused.
static void append_spare_bits(gp_layout *aggregate, const gp_layout *field, uint32_t offset) {
    if (!field->spares_known || offset + field->size > 8 * GP_SPARE_WORDS) {
        aggregate->spares_known = false;
        return;
    }
    uint8_t *bytes = (uint8_t *)aggregate->spare;
    memset(bytes + aggregate->size, 0xff, offset - aggregate->size);
    memcpy(bytes + offset, field->spare, field->size);
}

void gp_layout_append(gp_layout *aggregate, const gp_layout *field, const char *label, bool not_weak) {
    if (!aggregate->sized || !field->sized) {
        aggregate->sized = false;
        aggregate->spares_known = false;
        aggregate->steps = gp_new_step(GP_STEP_UNKNOWN, 0);
        return;
    }
    uint32_t offset = (uint32_t)gp_align_up(aggregate->size, field->alignment);
    append_spare_bits(aggregate, field, offset);
    if (field->extra.count > aggregate->extra.count) {
        aggregate->extra = field->extra;
        aggregate->extra.offset += offset;
    }
    aggregate->address_only |= field->address_only;
    aggregate->size = offset + field->size;
    aggregate->alignment = field->alignment > aggregate->alignment ? field->alignment : aggregate->alignment;
    aggregate->steps = gp_steps_append(aggregate->steps, gp_part(field->steps, offset, label, not_weak));
}
