// Looks a function up in an image's call frame information and does with it all that the unwinder does.
#ifndef FUZZ_FRAMES_H
#define FUZZ_FRAMES_H

#include "eh_frame.h"
#include "step.h"
#include "FuzzImage.h"

static inline void fuzz_require_inside(const gp_image_info *image, gp_dwarf_reader reader) {
    FUZZ_REQUIRE(reader.at <= reader.end);
    FUZZ_REQUIRE(reader.at == reader.end ||
                 gp_image_readable(image, (uintptr_t)reader.at) >= (size_t)(reader.end - reader.at));
}

static inline void fuzz_step(gp_rule rule) {
    enum { WORDS = 64 };
    uintptr_t *stack = malloc(WORDS * sizeof *stack);
    for (size_t i = 0; i < WORDS; i++)
        stack[i] = (uintptr_t)&stack[(i * 7 + 5) % WORDS];
    const uintptr_t low = (uintptr_t)stack, high = low + WORDS * sizeof *stack;
    gp_stack_reads reads = {.low = low, .high = high, .own_low = low, .own_high = high};
    gp_frame_state state = {.sp = low, .fp = low + 64};
    gp_step(&state, rule, &reads);
    free(stack);
}

static inline void fuzz_frames(const gp_image_info *image, uintptr_t pc) {
    gp_frame_description description;
    if (!gp_eh_frame_find(image, pc, &description))
        return;
    FUZZ_REQUIRE(description.start <= pc && pc < description.end);
    fuzz_require_inside(image, description.initial);
    fuzz_require_inside(image, description.program);
    int32_t offsets[GP_SAVED_REGISTERS + 1];
    gp_cfi_saved_registers(&description, pc, offsets);
    fuzz_step(gp_cfi_rule(&description, pc));
}

#endif
