// The malloc family, as the recorded program calls it.
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "allocator.h"
#include "block_sampling.h"
#include "caller.h"
#include "defer.h"
#include "guarded_samples.h"
#include "known_blocks.h"
#include "live_table.h"
#include "recording.h"
#include "sampled_hooks.h"
#include "zombie_malloc.h"
#include "zombies.h"

#define EXPORT __attribute__((visibility("default")))

// Of a function that asks for its CALLER in a branch that is hardly ever taken: the compiler moves such a branch into a
// function of its own, whose caller is another, unless all of the function is cold.
#define COLD __attribute__((noinline, cold))

// A linked recorder before a preloaded one: ends the function with the other's, which sees this one's caller as its own.
#ifdef GP_PRELOADED
#define LEAD_ON(call)
#else
#define LEAD_ON(call)                                                                                                  \
    if (__builtin_expect(gp_allocator_may_lead_on, 0) && gp_allocator_leads_on())                                      \
    __attribute__((musttail)) return call
#endif

// The four busiest functions only jump to what the state of the recording asks for; there their caller is the program.
EXPORT void *malloc(size_t size) {
    __attribute__((musttail)) return gp_entries.malloc(size);
}

EXPORT void *calloc(size_t count, size_t size) {
    __attribute__((musttail)) return gp_entries.calloc(count, size);
}

EXPORT void *realloc(void *block, size_t size) {
    __attribute__((musttail)) return gp_entries.realloc(block, size);
}

EXPORT void free(void *block) {
    __attribute__((musttail)) return gp_entries.free(block);
}

EXPORT void cfree(void *block) __attribute__((alias("free")));

// A sampled block that the allocator has just made, or a guarded one in its place.
static void *guarded_or(void *block, size_t size, size_t alignment, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!block || !gp_guarded_sample_is_due())
        return block;
    const size_t room = gp_allocator_is_foreign ? malloc_usable_size(block) : gp_live_usable_size((uintptr_t)block);
    void *guarded = gp_guarded_sample_make(size, alignment, room, pc, sp, fp);
    if (!guarded)
        return block;
    gp_real.free(block);
    return guarded;
}

// Resizes a block that the allocator made, or a guarded one, which becomes one of the allocator's.
static inline __attribute__((always_inline)) void *resized(void *block, size_t size, uintptr_t pc, uintptr_t sp,
                                                           uintptr_t fp) {
    if (GP_LIKELY(!gp_zombie_is_guarded(block)))
        return gp_real.realloc(block, size);
    void *result = size ? gp_real.malloc(size) : NULL;
    if (result)
        gp_guarded_sample_move(block, result, size, pc, sp, fp);
    else if (!size)
        gp_guarded_sample_free(block, pc, sp, fp);
    return result;
}

static inline __attribute__((always_inline)) void given_back(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (GP_LIKELY(!gp_zombie_is_guarded(block)))
        gp_real.free(block);
    else
        gp_guarded_sample_free(block, pc, sp, fp);
}

// What a block becomes that the allocator has just made.
static inline __attribute__((always_inline)) void *made(void *block, size_t size, size_t alignment, uint8_t how,
                                                        uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!gp_recording_decided_on())
        return block;
    if (!gp_sampling_mean)
        return gp_on_alloc(block, size, how, pc, sp, fp);
    const bool takes = gp_sampling_takes(size);
    if (takes)
        block = guarded_or(block, size, alignment, pc, sp, fp);
    if (gp_sampling_knows_all)
        return gp_on_known_alloc(block, size, how, takes, pc, sp, fp);
    return takes ? gp_on_sampled_alloc(block, size, how, pc, sp, fp) : block;
}

static void freed(void *block) {
    if (!gp_sampling_mean)
        gp_on_free(block);
    else if (gp_sampling_knows_all)
        gp_on_known_free(block);
    else
        gp_on_sampled_free(block);
}

COLD static void *undecided_malloc(size_t size) {
    LEAD_ON(gp_real.malloc(size));
    if (gp_zombies_on)
        return gp_zombie_malloc(size, CALLER);
    return made(gp_real.malloc(size), size, 1, GP_HOW_MALLOC, CALLER);
}

COLD static void *undecided_calloc(size_t count, size_t size) {
    LEAD_ON(gp_real.calloc(count, size));
    if (gp_zombies_on)
        return gp_zombie_calloc(count, size, CALLER);
    return made(gp_real.calloc(count, size), count * size, 1, GP_HOW_CALLOC, CALLER);
}

#define REALLOC(block, size)                                                                                           \
    ({                                                                                                                 \
        gp_moving_block moving = gp_on_realloc_begin(block);                                                           \
        void *result = resized(block, size, CALLER);                                                                   \
        gp_on_realloc_end(moving, result, size, (size) == 0, CALLER);                                                  \
    })

#define SAMPLED_REALLOC(block, size)                                                                                   \
    ({                                                                                                                 \
        gp_moving_sample moving = gp_on_sampled_realloc_begin(block);                                                  \
        const bool takes = gp_sampling_takes(size);                                                                    \
        void *result = resized(block, size, CALLER);                                                                   \
        gp_on_sampled_realloc_end(&moving, !result && (size) != 0);                                                    \
        takes ? gp_on_sampled_alloc(result, size, GP_HOW_REALLOC, CALLER) : result;                                    \
    })

COLD static void *undecided_realloc(void *block, size_t size) {
    LEAD_ON(gp_real.realloc(block, size));
    if (gp_zombies_on)
        return gp_zombie_realloc(block, size, CALLER);
    if (!gp_recording_decided_on())
        return resized(block, size, CALLER);
    if (gp_sampling_mean && !gp_sampling_knows_all)
        return SAMPLED_REALLOC(block, size);
    return REALLOC(block, size);
}

COLD static void undecided_free(void *block) {
    LEAD_ON(gp_real.free(block));
    if (gp_zombies_on) {
        gp_zombie_free(block, CALLER);
        return;
    }
    if (gp_recording_decided_on())
        freed(block);
    given_back(block, CALLER);
}

// Every block is recorded.
static void *recorded_malloc(size_t size) {
    void *block = gp_real.malloc(size);
    return gp_recording_is_on() ? gp_on_alloc(block, size, GP_HOW_MALLOC, CALLER) : block;
}

static void *recorded_calloc(size_t count, size_t size) {
    void *block = gp_real.calloc(count, size);
    return gp_recording_is_on() ? gp_on_alloc(block, count * size, GP_HOW_CALLOC, CALLER) : block;
}

static void *recorded_realloc(void *block, size_t size) {
    return gp_recording_is_on() ? REALLOC(block, size) : resized(block, size, CALLER);
}

static void recorded_free(void *block) {
    if (gp_recording_is_on())
        gp_on_free(block);
    gp_real.free(block);
}

// Sampled blocks are recorded; all others are the allocator's alone.
COLD static void *passed_malloc(size_t size) {
    if (!gp_sampling_passed(size))
        return gp_real.malloc(size);
    return gp_on_sampled_alloc(guarded_or(gp_real.malloc(size), size, 1, CALLER), size, GP_HOW_MALLOC, CALLER);
}

static void *sampled_malloc(size_t size) {
    if (gp_sampling_passes(size))
        __attribute__((musttail)) return passed_malloc(size);
    __attribute__((musttail)) return gp_real.malloc(size);
}

COLD static void *passed_calloc(size_t count, size_t size) {
    if (!gp_sampling_passed(count * size))
        return gp_real.calloc(count, size);
    void *block = gp_real.calloc(count, size);
    return gp_on_sampled_alloc(guarded_or(block, count * size, 1, CALLER), count * size, GP_HOW_CALLOC, CALLER);
}

static void *sampled_calloc(size_t count, size_t size) {
    if (gp_sampling_passes(count * size))
        __attribute__((musttail)) return passed_calloc(count, size);
    __attribute__((musttail)) return gp_real.calloc(count, size);
}

COLD static void *passed_realloc(void *block, size_t size) {
    if (!gp_sampling_passed(size))
        return gp_real.realloc(block, size);
    return gp_on_sampled_alloc(gp_real.realloc(block, size), size, GP_HOW_REALLOC, CALLER);
}

COLD static void *held_realloc(void *block, size_t size) {
    return SAMPLED_REALLOC(block, size);
}

static void *sampled_realloc(void *block, size_t size) {
    if (gp_sampled_may_hold(block) || GP_UNLIKELY(gp_zombie_is_guarded(block)))
        __attribute__((musttail)) return held_realloc(block, size);
    if (gp_sampling_passes(size))
        __attribute__((musttail)) return passed_realloc(block, size);
    __attribute__((musttail)) return gp_real.realloc(block, size);
}

COLD static void held_free(void *block) {
    gp_on_sampled_free(block);
    given_back(block, CALLER);
}

// A guarded block that is freed a second time stands in the table no more.
static void sampled_free(void *block) {
    if (gp_sampled_may_hold(block) || GP_UNLIKELY(gp_zombie_is_guarded(block)))
        __attribute__((musttail)) return held_free(block);
    __attribute__((musttail)) return gp_real.free(block);
}

// The same where all blocks must be known.
static void *known_malloc(size_t size) {
    const bool takes = gp_sampling_takes(size);
    void *block = gp_real.malloc(size);
    if (GP_UNLIKELY(takes))
        block = guarded_or(block, size, 1, CALLER);
    return gp_recording_is_on() ? gp_on_known_alloc(block, size, GP_HOW_MALLOC, takes, CALLER) : block;
}

static void *known_calloc(size_t count, size_t size) {
    const bool takes = gp_sampling_takes(count * size);
    void *block = gp_real.calloc(count, size);
    if (GP_UNLIKELY(takes))
        block = guarded_or(block, count * size, 1, CALLER);
    return gp_recording_is_on() ? gp_on_known_alloc(block, count * size, GP_HOW_CALLOC, takes, CALLER) : block;
}

static void known_free(void *block) {
    if (gp_recording_is_on())
        gp_on_known_free(block);
    given_back(block, CALLER);
}

static const gp_allocator recorded_entries = {.malloc = recorded_malloc,
                                              .calloc = recorded_calloc,
                                              .realloc = recorded_realloc,
                                              .free = recorded_free},
                          sampled_entries = {.malloc = sampled_malloc,
                                             .calloc = sampled_calloc,
                                             .realloc = sampled_realloc,
                                             .free = sampled_free},
                          known_entries = {.malloc = known_malloc,
                                           .calloc = known_calloc,
                                           .realloc = recorded_realloc,
                                           .free = known_free};

gp_allocator gp_entries = {
    .malloc = undecided_malloc, .calloc = undecided_calloc, .realloc = undecided_realloc, .free = undecided_free};

// While zombies are recorded, and after: quarantined and guarded blocks are not the allocator's.
static const gp_allocator *entries_of(uint32_t state) {
    if (gp_zombies_on)
        return &gp_zombie_entries;
    if (state != GP_RECORDING_ON && !gp_guard_size)
        return &gp_real;
    if (!gp_sampling_mean)
        return &recorded_entries;
    return gp_sampling_knows_all ? &known_entries : &sampled_entries;
}

// The state may change meanwhile in another thread, which then comes here too: the last of both sees the last state.
static void choose_entries(void) {
    uint32_t state;
    do {
        state = gp_recording.state;
        const gp_allocator *chosen = entries_of(state);
        __atomic_store_n(&gp_entries.malloc, chosen->malloc, __ATOMIC_RELAXED);
        __atomic_store_n(&gp_entries.calloc, chosen->calloc, __ATOMIC_RELAXED);
        __atomic_store_n(&gp_entries.realloc, chosen->realloc, __ATOMIC_RELAXED);
        __atomic_store_n(&gp_entries.free, chosen->free, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    } while (state != gp_recording.state);
}

void gp_entries_prepare(void) {
    gp_allocator_choose = choose_entries;
    // What the search itself allocated may have begun the recording.
    if (gp_recording.state != GP_RECORDING_UNKNOWN)
        choose_entries();
}

EXPORT void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    if (gp_zombies_on)
        return gp_zombie_realloc(block, bytes, CALLER);
    if (!gp_recording_decided_on())
        return resized(block, bytes, CALLER);
    if (gp_sampling_mean && !gp_sampling_knows_all)
        return SAMPLED_REALLOC(block, bytes);
    return REALLOC(block, bytes);
}

#define ALIGNED(alignment, size)                                                                                       \
    gp_zombies_on ? gp_zombie_aligned(alignment, size, CALLER)                                                         \
                  : ({ made(gp_real.memalign(alignment, size), size, alignment, GP_HOW_ALIGNED, CALLER); })

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
