#include "parked_threads.h"

#include <string.h>
#include <sys/syscall.h>

#include "../runtime/exported_symbol.h"
#include "images.h"

enum { FRAMES_MOST = 16 };

// What `call` instruction in front of a return address calls, through the image's linkage table if it does.
static uintptr_t called_at(uintptr_t return_address) {
    enum { CALL = 0xe8, CALL_BYTES = 5, JUMP_BYTES = 6 };
    const uint8_t *call = (const uint8_t *)return_address - CALL_BYTES;
    int32_t distance;
    if (call[0] != CALL)
        return 0;
    memcpy(&distance, call + 1, sizeof distance);
    uintptr_t target = return_address + (intptr_t)distance;
    const uint8_t *jump = (const uint8_t *)target;
    if (!gp_address_is_executable(target) || jump[0] != 0xff || jump[1] != 0x25)
        return target;
    memcpy(&distance, jump + 2, sizeof distance);
    uintptr_t slot = target + JUMP_BYTES + (intptr_t)distance;
    return gp_address_is_readable_image(slot, sizeof slot) ? *(const uintptr_t *)slot : 0;
}

// Whether the frames are: C library …, libdispatch …, C library …, with libdispatch's outermost waiting for work.
static bool is_waiting_worker(const uintptr_t *pcs, size_t count) {
    size_t outermost = 0;
    const gp_image_info *dispatch = NULL;
    for (size_t i = 0; i < count; i++) {
        const gp_image_info *image = gp_image_find(NULL, pcs[i] - 1);
        bool is_dispatch = image && gp_image_is_called(image, "libdispatch.so");
        if (!image || (!is_dispatch && !gp_image_is_called(image, "libc.so")))
            return false;
        if (is_dispatch && dispatch && outermost != i - 1)
            return false;
        if (is_dispatch) {
            dispatch = image;
            outermost = i;
        }
    }
    if (!dispatch || outermost + 1 >= count)
        return false;
    uintptr_t wait = gp_exported_symbol(dispatch, "dispatch_semaphore_wait");
    return wait && called_at(pcs[outermost]) == wait;
}

void gp_parked_threads_note(const gp_stopped_threads *threads) {
    for (uint32_t i = 0; i < threads->count; i++) {
        gp_stopped_thread *thread = &threads->threads[i];
        uintptr_t pcs[FRAMES_MOST], cfas[FRAMES_MOST];
        thread->parked_end = 0;
        if (!gp_thread_was_stopped(thread) || !thread->in_kernel || thread->call != SYS_futex)
            continue;
        size_t count = gp_stack_unwind(thread->at, pcs, cfas, FRAMES_MOST);
        if (count > 0 && count < FRAMES_MOST && is_waiting_worker(pcs, count) && cfas[count - 1] > thread->sp)
            thread->parked_end = cfas[count - 1];
    }
}
