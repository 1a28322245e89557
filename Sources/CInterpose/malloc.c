// The malloc family, as the recorded program calls it.
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "allocator.h"
#include "caller.h"
#include "defer.h"
#include "recording.h"
#include "zombie_malloc.h"
#include "zombies.h"

#define EXPORT __attribute__((visibility("default")))

// While zombies are recorded the family has other bodies.
#define ZOMBIES __builtin_expect(gp_zombies_on, 0)

// A linked recorder before a preloaded one: ends the function with the other's, which sees this one's caller as its own.
#ifdef GP_PRELOADED
#define LEAD_ON(call)
#else
#define LEAD_ON(call)                                                                                                  \
    if (__builtin_expect(gp_allocator_may_lead_on, 0) && gp_allocator_leads_on())                                      \
    __attribute__((musttail)) return call
#endif

// What the two busiest functions do unless only samples are watched. They are jumped to: their caller is the program.
static void *plain_malloc(size_t size);
static void plain_free(void *block);

gp_busiest gp_busiest_now = {.malloc = plain_malloc, .free = plain_free};

// While only samples are watched all other blocks go straight to the allocator: without a frame, and with as few
// instructions as can be.
EXPORT __attribute__((naked)) void *malloc(__attribute__((unused)) size_t size) {
    __asm__("cmpb $0, gp_zombies_sampled_only(%rip)\n"
            "je 1f\n"
            "mov gp_zombie_since_sample@gottpoff(%rip), %rax\n"
            "mov %fs:(%rax), %ecx\n"
            "inc %ecx\n"
            "mov %ecx, %fs:(%rax)\n"
            "cmp gp_zombie_sample_every(%rip), %ecx\n"
            "jae 1f\n"
            "jmp *gp_real(%rip)\n"
            "1: jmp *gp_busiest_now(%rip)\n");
}

EXPORT __attribute__((naked)) void free(__attribute__((unused)) void *block) {
    __asm__("cmpb $0, gp_zombies_sampled_only(%rip)\n"
            "je 1f\n"
            "mov %rdi, %rax\n"
            "sub gp_guard_start(%rip), %rax\n"
            "cmp gp_guard_size(%rip), %rax\n"
            "jb 1f\n"
            "jmp *gp_real+32(%rip)\n"
            "1: jmp *gp_busiest_now+8(%rip)\n");
}

_Static_assert(offsetof(gp_allocator, malloc) == 0 && offsetof(gp_allocator, free) == 32, "as the code above has them");
_Static_assert(offsetof(gp_busiest, malloc) == 0 && offsetof(gp_busiest, free) == 8, "as the code above has them");

static void *plain_malloc(size_t size) {
    LEAD_ON(gp_real.malloc(size));
    if (ZOMBIES) {
        gp_zombie_take_over();
        __attribute__((musttail)) return gp_busiest_now.malloc(size);
    }
    void *block = gp_real.malloc(size);
    return gp_recording_is_on() ? gp_on_alloc(block, size, GP_HOW_MALLOC, CALLER) : block;
}

EXPORT void *calloc(size_t count, size_t size) {
    LEAD_ON(gp_real.calloc(count, size));
    if (ZOMBIES)
        return gp_zombie_calloc(count, size, CALLER);
    void *block = gp_real.calloc(count, size);
    return gp_recording_is_on() ? gp_on_alloc(block, count * size, GP_HOW_CALLOC, CALLER) : block;
}

static void plain_free(void *block) {
    LEAD_ON(gp_real.free(block));
    if (ZOMBIES) {
        gp_zombie_take_over();
        __attribute__((musttail)) return gp_busiest_now.free(block);
    }
    if (gp_recording_is_on())
        gp_on_free(block);
    gp_real.free(block);
}

EXPORT void cfree(void *block) __attribute__((alias("free")));

#define REALLOC(block, size)                                                                                           \
    ({                                                                                                                 \
        gp_moving_block moving = gp_on_realloc_begin(block);                                                           \
        void *result = gp_real.realloc(block, size);                                                                   \
        gp_on_realloc_end(moving, result, size, (size) == 0, CALLER);                                                  \
    })

EXPORT void *realloc(void *block, size_t size) {
    LEAD_ON(gp_real.realloc(block, size));
    if (ZOMBIES)
        return gp_zombie_realloc(block, size, CALLER);
    if (!gp_recording_is_on())
        return gp_real.realloc(block, size);
    return REALLOC(block, size);
}

EXPORT void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    if (ZOMBIES)
        return gp_zombie_realloc(block, bytes, CALLER);
    if (!gp_recording_is_on())
        return gp_real.realloc(block, bytes);
    return REALLOC(block, bytes);
}

#define ALIGNED(alignment, size)                                                                                       \
    ZOMBIES ? gp_zombie_aligned(alignment, size, CALLER) : ({                                                          \
        void *aligned = gp_real.memalign(alignment, size);                                                             \
        gp_recording_is_on() ? gp_on_alloc(aligned, size, GP_HOW_ALIGNED, CALLER) : aligned;                           \
    })

EXPORT void *memalign(size_t alignment, size_t size) {
    LEAD_ON(gp_real.memalign(alignment, size));
    return ALIGNED(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    LEAD_ON(gp_real.memalign(alignment, size));
    return ALIGNED(alignment, size);
}

EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    int saved = errno;
    void *block = ALIGNED(alignment, size);
    errno = saved;
    if (!block)
        return ENOMEM;
    *result = block;
    return 0;
}

EXPORT void *valloc(size_t size) {
    return ALIGNED((size_t)getpagesize(), size);
}

EXPORT void *pvalloc(size_t size) {
    size_t page = (size_t)getpagesize(), rounded;
    if (__builtin_add_overflow(size, page - 1, &rounded)) {
        errno = ENOMEM;
        return NULL;
    }
    rounded &= ~(page - 1);
    return ALIGNED(page, rounded);
}
