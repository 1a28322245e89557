#include "stale_filters.h"

#include "eh_frame.h"
#include "images.h"

bool gp_is_system_frame(uintptr_t place) {
    const gp_image_info *image = gp_image_find(NULL, place);
    return image && (gp_image_is_called(image, "libGameRecorder.so") || gp_image_is_called(image, "libc.so"));
}

static bool add_slots(gp_system_frames *frames, uintptr_t place, uintptr_t cfa) {
    const gp_image_info *image = gp_image_find_loaded(NULL, place);
    gp_frame_description description;
    int32_t offsets[GP_SAVED_REGISTERS + 1];
    if (!image || !gp_eh_frame_find(image, place, &description) ||
        !gp_cfi_saved_registers(&description, place, offsets))
        return false;
    for (unsigned i = 0; i <= GP_SAVED_REGISTERS; i++)
        if (offsets[i])
            frames->slots[frames->count++] = cfa + (uintptr_t)(intptr_t)offsets[i];
    return true;
}

void gp_system_frames_find(const gp_stopped_thread *caller, gp_system_frames *frames) {
    uintptr_t pcs[GP_SYSTEM_FRAMES_MOST], cfas[GP_SYSTEM_FRAMES_MOST];
    size_t count = gp_stack_unwind(caller->at, pcs, cfas, GP_SYSTEM_FRAMES_MOST);
    *frames = (gp_system_frames){.start = caller->at.sp, .end = caller->at.sp};
    for (size_t i = 0; i < count && cfas[i] > frames->end; i++) {
        size_t before = frames->count;
        if (!gp_is_system_frame(pcs[i] - 1) || !add_slots(frames, pcs[i] - 1, cfas[i])) {
            frames->count = before;
            return;
        }
        frames->end = cfas[i];
    }
}
