// The notes of an image: eight bytes for the place and size that its program header claims, the notes.
#include "../../Sources/Recorder/Modules/image_headers.h"
#include "FuzzImage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint64_t place = fuzz_take(&data, &size, 4), claimed = fuzz_take(&data, &size, 4);
    const gp_image_info whole = fuzz_image(data, size, FUZZ_PART_MOST);
    const size_t room = whole.segment_count ? whole.segments[0].end - whole.segments[0].start : 0;
    const Elf64_Phdr headers[] = {
        {.p_type = PT_NOTE, .p_flags = PF_R, .p_vaddr = place, .p_memsz = claimed},
        {.p_type = PT_NOTE, .p_flags = PF_R, .p_vaddr = 0, .p_memsz = claimed << 32},
        {.p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = 0, .p_memsz = room},
    };
    gp_image_info image = {.bias = FUZZ_FIRST};
    gp_build_id build_id = {0};
    gp_image_read_headers(&image, &build_id, headers, sizeof headers / sizeof *headers);
    FUZZ_REQUIRE(image.segment_count == (room > 0));
    FUZZ_REQUIRE(build_id.size <= GP_BUILD_ID_SIZE);
    return 0;
}
