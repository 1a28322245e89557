// A preload library. At each malloc it takes the stack by the memo, by plain unwinding and by libunwind, which is
// loaded apart from the program, and compares the three. Prints the counts to standard error when the program ends,
// and the first stacks that differ.
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "Recorder.h"
#include "arena.h"
#include "images.h"
#include "stack.h"
#include "thread.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 65536, SHOWN = 3 };

typedef struct {
    void *expected[CAPACITY];
    uintptr_t unwound[CAPACITY];
} comparison;

extern void *__libc_malloc(size_t size);

static int (*libunwind_backtrace)(void **, int);
static int (*libc_dlclose)(void *);
static _Atomic unsigned long compared, different, deepest;
static __thread comparison *buffers __attribute__((tls_model("initial-exec")));

static void print_stack(const char *name, const uintptr_t *pcs, size_t count) {
    fprintf(stderr, "%s:\n", name);
    for (size_t i = 0; i < count && i < 40; i++) {
        Dl_info info = {0};
        dladdr((void *)(pcs[i] - 1), &info);
        fprintf(stderr, "  %s %s\n", info.dli_sname ? info.dli_sname : "?", info.dli_fname ? info.dli_fname : "?");
    }
}

// The tree holds the whole stack, or its innermost 65 to 128 frames when it is deeper than 128.
static bool tree_agrees(uint32_t id, const uintptr_t *pcs, size_t count) {
    size_t depth = 0;
    bool truncated = false;
    for (; id; id = recorded_frames[id].parent, depth++) {
        const gp_frame *frame = &recorded_frames[id];
        if (depth >= count || ((uintptr_t)frame->pc_high << 32 | frame->pc_low) != pcs[depth])
            return false;
        truncated = frame->flags & GP_FRAME_TRUNCATED;
    }
    return truncated ? count > 128 && depth > 64 && depth <= 128 && (count - depth) % 64 == 0 : depth == count;
}

static void compare(gp_registers start) {
    gp_thread *thread = gp_thread_current();
    if (thread->busy)
        return;
    thread->busy = true;
    if (!buffers)
        buffers = gp_arena_allocate(sizeof *buffers);
    int found = libunwind_backtrace(buffers->expected, CAPACITY), skipped = 0;
    while (skipped < found && (uintptr_t)buffers->expected[skipped] != start.pc)
        skipped++;
    const uintptr_t *expected = (const uintptr_t *)buffers->expected + skipped;
    size_t expected_count = (size_t)(found - skipped);
    size_t count = gp_stack_unwind(start, buffers->unwound, NULL, CAPACITY);
    uint32_t id = gp_stack_id(thread, start), again = gp_stack_id(thread, start);

    // The one documented difference: libunwind's last frame may lie in no image.
    bool same = (expected_count == count || (expected_count == count + 1 && !gp_image_find(thread, expected[count]))) &&
                memcmp(expected, buffers->unwound, count * sizeof *expected) == 0;
    if (count > deepest)
        deepest = count;
    compared++;
    if ((!same || id != again || !tree_agrees(id, buffers->unwound, count)) && different++ < SHOWN) {
        print_stack("libunwind", expected, expected_count);
        print_stack("unwound", buffers->unwound, count);
    }
    thread->busy = false;
}

__attribute__((constructor)) static void prepare(void) {
    void *libunwind = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    libc_dlclose = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
    gp_images_refresh(NULL);
    if (libunwind)
        libunwind_backtrace = (int (*)(void **, int))dlsym(libunwind, "unw_backtrace");
}

__attribute__((destructor)) static void report(void) {
    fprintf(stderr, "compared %lu different %lu deepest %lu images %u gone %u lost %lu\n", compared, different, deepest,
            recorded_image_count, recorded_gone_count, gp_stack_failures());
}

void *malloc(size_t size) {
    if (libunwind_backtrace)
        compare(GP_CALLER_REGISTERS());
    void *block = __libc_malloc(size);
    __asm__ volatile("" : : "r"(block) : "memory");
    return block;
}

int dlclose(void *library) {
    int result = libc_dlclose(library);
    gp_images_changed();
    return result;
}
