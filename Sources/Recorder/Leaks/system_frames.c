#include "system_frames.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "code.h"
#include "eh_frame.h"
#include "images.h"

static bool is_system_frame(uintptr_t place) {
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
        if (!is_system_frame(pcs[i] - 1) || !add_slots(frames, pcs[i] - 1, cfas[i])) {
            frames->count = before;
            return;
        }
        frames->end = cfas[i];
    }
}

// Whoever a thread wakes may run in its place, to the end of the program. Then it stands in the C library's call, whose caller
// expects nothing in scratch registers, and which keeps none but the place it wakes at.
void gp_stale_registers_forget(gp_stopped_thread *thread) {
    const uintptr_t pc = thread->at.pc - 1;
    const gp_image_info *image = gp_image_find(NULL, pc);
    if (!thread->in_kernel || gp_code_system_call_number(pc, thread->registers) != SYS_futex || !image ||
        !gp_image_is_called(image, "libc.so") ||
        (thread->registers[GP_REGISTER_ARGUMENT_2] & FUTEX_CMD_MASK) != FUTEX_WAKE)
        return;
    for (int number = 0; number < GP_REGISTER_COUNT; number++)
        if (GP_SCRATCH_REGISTERS >> number & 1)
            thread->registers[number] = 0;
}
