// .eh_frame_hdr and .eh_frame: two bytes that say where the second begins, two for the place of the first, two for the
// function that is looked up, the sections.
#include "FuzzFrames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t split = fuzz_take(&data, &size, 2);
    const size_t place = fuzz_take(&data, &size, 2);
    const uintptr_t pc = FUZZ_FIRST + fuzz_take(&data, &size, 2);
    gp_image_info image = fuzz_image(data, size, split);
    image.eh_frame = FUZZ_FIRST + place;
    fuzz_frames(&image, pc);
    return 0;
}
