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
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

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
        // The thread that has made the node may not have recorded it yet.
        for (unsigned turn = 0; turn < 1000000 && !__atomic_load_n(&frame->kind, __ATOMIC_ACQUIRE); turn++)
            sched_yield();
        if (depth >= count || ((uintptr_t)frame->pc_high << 32 | frame->pc_low) != pcs[depth])
            return false;
        truncated = frame->flags & GP_FRAME_TRUNCATED;
    }
    return truncated ? count > 128 && depth > 64 && depth <= 128 && (count - depth) % 64 == 0 : depth == count;
}

static _Unwind_Reason_Code take(struct _Unwind_Context *context, void *count) {
    if (*(size_t *)count == CAPACITY)
        return _URC_END_OF_STACK;
    buffers->expected[(*(size_t *)count)++] = (void *)_Unwind_GetIP(context);
    return _URC_NO_REASON;
}

// libunwind 1.8 loses its way behind signed return addresses: there libgcc is asked.
static size_t expect(void) {
    if (!GP_SIGNS_RETURN_ADDRESSES)
        return (size_t)libunwind_backtrace(buffers->expected, CAPACITY);
    size_t count = 0;
    _Unwind_Backtrace(take, &count);
    return count;
}

// Whether libgcc, which goes by call frame information alone, has none for the code that returns to `pc`.
extern const void *_Unwind_Find_FDE(void *pc, void *bases[3]);
static bool is_end(uintptr_t pc) {
    return GP_SIGNS_RETURN_ADDRESSES && !_Unwind_Find_FDE((void *)(pc - 1), (void *[3]){0});
}

static void compare(gp_registers start) {
    gp_thread *thread = gp_thread_current();
    if (thread->busy)
        return;
    thread->busy = true;
    if (!buffers)
        buffers = gp_arena_allocate(sizeof *buffers);
    size_t found = expect(), skipped = 0;
    while (skipped < found && (uintptr_t)buffers->expected[skipped] != start.pc)
        skipped++;
    const uintptr_t *expected = (const uintptr_t *)buffers->expected + skipped;
    size_t expected_count = found - skipped;
    size_t count = gp_stack_unwind(start, buffers->unwound, NULL, CAPACITY);
    uint32_t id = gp_stack_id(thread, start), again = gp_stack_id(thread, start);

    // The documented differences: libunwind's last frame may lie in no image; libgcc's may be the last that it can leave.
    bool same =
        (expected_count == count || (expected_count == count + 1 && !gp_image_find(thread, expected[count])) ||
         (expected_count > 0 && expected_count < count && is_end(expected[expected_count - 1]))) &&
        memcmp(expected, buffers->unwound, (count < expected_count ? count : expected_count) * sizeof *expected) == 0;
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
