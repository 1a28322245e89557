#include "exited_main_stack.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "mapping.h"
#include "system.h"
#include "arena.h"
#include "heap.h"
#include "images.h"
#include "stack.h"
#include "thread.h"

enum { LARGEST = 64 << 20 };
enum { DISPATCH_FRAMES = 2, NEAR = 1024, WORDS_LOOKED_AT = 6, FRAMES_WANTED = 3 };

static _Atomic(gp_exited_main_stack *) kept;

const gp_exited_main_stack *gp_exited_main_stack_kept(void) {
    return atomic_load(&kept);
}

uint32_t gp_exited_main_stack_id(void) {
    const gp_exited_main_stack *left = gp_exited_main_stack_kept();
    return left ? left->id : 0;
}

static uint32_t id_of(gp_registers caller) {
    gp_thread *thread = gp_thread_enter();
    if (!thread)
        return 0;
    uint32_t id = gp_stack_id(thread, caller);
    gp_thread_leave(thread);
    return id;
}

// dispatchMain() of libswiftDispatch has no unwinding information: the stack seems to end with it. dispatch_main of
// libdispatch, which it calls, keeps a frame pointer; the next return address above is its caller's.
static bool step_over(gp_registers *caller) {
    const uintptr_t *frame = (const uintptr_t *)caller->fp;
    if (caller->fp % 8 != 0 || caller->fp < caller->sp || caller->fp - caller->sp > NEAR)
        return false;
    for (unsigned i = 2; i < WORDS_LOOKED_AT; i++) {
        gp_registers next = {frame[i], (uintptr_t)&frame[i + 1], frame[0], 0};
        uintptr_t pcs[FRAMES_WANTED], cfas[FRAMES_WANTED];
        if (!gp_address_is_executable(next.pc) || gp_stack_unwind(next, pcs, cfas, FRAMES_WANTED) < FRAMES_WANTED)
            continue;
        *caller = next;
        return true;
    }
    return false;
}

static void note_frames(gp_exited_main_stack *left, gp_registers caller) {
    left->frames = gp_stack_unwind(caller, left->pcs, left->cfas, GP_LEFT_FRAMES);
    if (left->frames == DISPATCH_FRAMES && step_over(&caller))
        left->frames +=
            gp_stack_unwind(caller, left->pcs + left->frames, left->cfas + left->frames, GP_LEFT_FRAMES - left->frames);
    left->id = id_of(caller);
}

static void copy_words(gp_exited_main_stack *left, uintptr_t low) {
    gp_mapping mapping;
    left->low = low;
    if (!gp_mapping_containing(low, &mapping) || mapping.end - low > LARGEST)
        return;
    uintptr_t *copy = gp_arena_allocate(mapping.end - low);
    if (!copy)
        return;
    memcpy(copy, (const void *)low, mapping.end - low);
    left->size = mapping.end - low;
    left->words = copy;
}

__attribute__((noinline)) void gp_heap_keep_exited_main_stack(gp_registers caller) {
    uint32_t thread = (uint32_t)gp_system(gettid, 0);
    if (thread != (uint32_t)gp_system(getpid, 0) || gp_exited_main_stack_kept())
        return;
    gp_exited_main_stack *left = gp_arena_allocate(sizeof *left);
    if (!left)
        return;
    left->thread = thread;
    gp_read_preserved(left->registers);
    note_frames(left, caller);
    copy_words(left, GP_PRESERVED_SP() & ~(uintptr_t)7);
    atomic_store(&kept, left);
}
