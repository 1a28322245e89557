// .eh_frame: two bytes that say where to split it, two that say which function is looked up, the section. Its header has no
// table, so that every entry is looked at.
#include "FuzzFrames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t header[] = {1, GP_EH_ABSOLUTE | GP_EH_UDATA4, GP_EH_OMIT, GP_EH_OMIT};
    static const uint32_t section = FUZZ_FIRST;
    const size_t split = fuzz_take(&data, &size, 2);
    const uintptr_t pc = FUZZ_FIRST + fuzz_take(&data, &size, 2);
    gp_image_info image = fuzz_image(data, size, split);
    // The header is a segment of its own.
    fuzz_place(FUZZ_START, header, sizeof header);
    fuzz_place(FUZZ_START + sizeof header, (const uint8_t *)&section, sizeof section);
    image.segments[image.segment_count++] = (gp_segment){FUZZ_START, FUZZ_START + sizeof header + sizeof section, PF_R};
    image.eh_frame = FUZZ_START;
    fuzz_frames(&image, pc);
    return 0;
}
