#include "stale_filters.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "call_site.h"
#include "code.h"
#include "runtime_symbols.h"
#include "images.h"

enum {
    FRAMES_MAX = 32,
    OUTERMOST_FRAME_BELOW = 8192,  // bytes between the first frame of a thread and its thread pointer
};

static bool is_of(const gp_image_info *image, const char *const *names) {
    for (; *names; names++)
        if (gp_image_is_called(image, *names))
            return true;
    return false;
}

static bool waits_for_events(long call) {
#ifdef SYS_epoll_wait
    if (call == SYS_epoll_wait)
        return true;
#endif
    return call == SYS_epoll_pwait;
}

// Whether all frames, up to the C library's start of the thread, are the system's. The recorder's own is among them where it
// has timed a wait for events.
static bool is_system(const gp_stopped_thread *thread, const uintptr_t *pcs, const uintptr_t *cfas, size_t count) {
    static const char *const names[] = {"libc.so", "libdispatch.so", "libswift_Concurrency.so", NULL};
    for (size_t i = 0; i < count; i++) {
        const gp_image_info *image = gp_image_find(NULL, pcs[i] - 1);
        if (image && i < 2 && waits_for_events(thread->call) && gp_image_is_called(image, "libGameRecorder.so"))
            continue;
        if (!image || !is_of(image, i + 1 == count ? (const char *const[]){"libc.so", NULL} : names))
            return false;
    }
    return cfas[count - 1] > thread->sp && thread->thread_pointer - cfas[count - 1] < OUTERMOST_FRAME_BELOW;
}

// Whether the frames of a system's stack are: C library …, libdispatch …, C library …, with libdispatch's outermost
// waiting for work, or, as its manager, for events: what it has on the stack then are the events of before.
static bool is_waiting_worker(long call, const uintptr_t *pcs, size_t count) {
    static const char *const dispatch[] = {"libdispatch.so", NULL};
    size_t first = 0, end = count;
    while (first < count && !is_of(gp_image_find(NULL, pcs[first] - 1), dispatch))
        first++;
    while (end > first && !is_of(gp_image_find(NULL, pcs[end - 1] - 1), dispatch))
        end--;
    for (size_t i = first; i < end; i++)
        if (!is_of(gp_image_find(NULL, pcs[i] - 1), dispatch))
            return false;
    if (first == end || call != SYS_futex)
        return first < end && waits_for_events(call);
    uintptr_t wait = gp_exported_symbol(gp_image_find(NULL, pcs[end - 1] - 1), "dispatch_semaphore_wait");
    return wait && gp_called_before(pcs[end - 1]) == wait;
}

// Whoever a thread wakes may run in its place, to the end of the program. Then it stands in the C library's call, whose caller
// expects nothing in scratch registers, and which keeps none but the place it wakes at.
static void forget_scratch_of_waker(gp_stopped_thread *thread) {
    const uintptr_t pc = thread->at.pc - 1;
    const gp_image_info *image = gp_image_find(NULL, pc);
    if (gp_code_system_call_number(pc, thread->registers) != SYS_futex || !image ||
        !gp_image_is_called(image, "libc.so") ||
        (thread->registers[GP_REGISTER_ARGUMENT_2] & FUTEX_CMD_MASK) != FUTEX_WAKE)
        return;
    for (int number = 0; number < GP_REGISTER_COUNT; number++)
        if (GP_SCRATCH_REGISTERS >> number & 1)
            thread->registers[number] = 0;
}

void gp_parked_threads_note(const gp_stopped_threads *threads) {
    for (uint32_t i = 0; i < threads->count; i++) {
        gp_stopped_thread *thread = &threads->threads[i];
        uintptr_t pcs[FRAMES_MAX], cfas[FRAMES_MAX];
        thread->runs_no_code = false;
        thread->parked_end = 0;
        if (!gp_thread_was_stopped(thread) || !thread->in_kernel)
            continue;
        forget_scratch_of_waker(thread);
        size_t count = gp_stack_unwind(thread->at, pcs, cfas, FRAMES_MAX);
        thread->runs_no_code = count > 0 && count < FRAMES_MAX && is_system(thread, pcs, cfas, count);
        if (thread->runs_no_code && is_waiting_worker(thread->call, pcs, count))
            thread->parked_end = cfas[count - 1];
    }
}
