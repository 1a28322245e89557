// The malloc family, as the recorded program calls it.
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "TraceFormat.h"
#include "alloc_hooks.h"
#include "allocator.h"
#include "block_sampling.h"
#include "failing.h"
#include "guarded_samples.h"
#include "live_table.h"
#include "recording.h"
#include "recording_state.h"
#include "thread.h"
#include "zombies.h"

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

// Of a function that asks for its CALLER in a branch that is hardly ever taken: the compiler moves such a branch into a
// function of its own, whose caller is another, unless all of the function is cold.
#define COLD __attribute__((noinline, cold))

static void *careful_malloc(size_t), *careful_calloc(size_t, size_t), *careful_realloc(void *, size_t);
static void careful_free(void *);

// Until the allocator is found, and while an allocation is to fail.
static const gp_allocator careful = {
    .malloc = careful_malloc, .calloc = careful_calloc, .realloc = careful_realloc, .free = careful_free};

static gp_allocator entries = {
    .malloc = careful_malloc, .calloc = careful_calloc, .realloc = careful_realloc, .free = careful_free};

// The four busiest functions only jump to what the state of the recording asks for; there their caller is the program.
EXPORT void *malloc(size_t size) {
    __attribute__((musttail)) return GP_LOAD_IN_ORDER(entries.malloc)(size);
}

EXPORT void *calloc(size_t count, size_t size) {
    __attribute__((musttail)) return GP_LOAD_IN_ORDER(entries.calloc)(count, size);
}

EXPORT void *realloc(void *block, size_t size) {
    __attribute__((musttail)) return GP_LOAD_IN_ORDER(entries.realloc)(block, size);
}

EXPORT void free(void *block) {
    __attribute__((musttail)) return GP_LOAD_IN_ORDER(entries.free)(block);
}

EXPORT void cfree(void *block) __attribute__((alias("free")));

// C23, glibc 2.43. They do what free does, which takes no notice of further arguments.
EXPORT void free_sized(void *block, size_t size) {
    void (*const freed)(void *, size_t) = (void (*)(void *, size_t))(void *)GP_LOAD_IN_ORDER(entries.free);
    __attribute__((musttail)) return (GP_UNLIKELY(gp_other_free_sized) ? gp_other_free_sized : freed)(block, size);
}

EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size) {
    void (*const freed)(void *, size_t, size_t) =
        (void (*)(void *, size_t, size_t))(void *)GP_LOAD_IN_ORDER(entries.free);
    __attribute__((musttail)) return (GP_UNLIKELY(gp_other_free_aligned_sized) ? gp_other_free_aligned_sized
                                                                               : freed)(block, alignment, size);
}

static size_t usable_size(void *block) {
    return gp_allocator_is_foreign ? malloc_usable_size(block) : gp_live_usable_size((uintptr_t)block);
}

enum { CLEARED_MOST = 32 << 10 };

INLINE bool is_cleared(size_t size) {
    return size <= CLEARED_MOST && gp_recording_is_on() && gp_recording.instruments & GP_INSTRUMENT_LEAKS;
}

// A new block shows what its memory's last owner has left there. In the parts that its own owner never writes, as the buffers
// in an object of C++, a search for leaks would take that for pointers to whatever stands at these addresses by now. Words that are
// zero are left alone: their pages may not be there yet. Larger blocks are costly, and mostly fresh.
INLINE void *cleared(void *block, size_t from, size_t size) {
    if (!block || !is_cleared(size))
        return block;
    uint64_t *const words = block;
    size_t i = (from + 7) / 8;
    const size_t end = (size + 7) / 8;
    for (; i + 8 <= end; i += 8) {
        uint64_t *const w = words + i;
        if (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7])
            memset(w, 0, 64);
    }
    for (; i < end; i++)
        if (words[i])
            words[i] = 0;
    return block;
}

// A sampled block that the allocator has just made, or a guarded one in its place.
static void *guarded_or(void *block, size_t size, size_t alignment, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!block || !gp_guarded_sample_is_due())
        return block;
    void *guarded = gp_guarded_sample_make(size, alignment, usable_size(block), pc, sp, fp);
    if (!guarded)
        return block;
    gp_real.free(block);
    return guarded;
}

// A hidden thread's realloc: nothing of the words stays where they stood.
COLD static void *moved(void *block, size_t size) {
    void *const result = gp_real.malloc(size);
    const size_t room = malloc_usable_size(block);
    if (!result)
        return NULL;
    memcpy(result, block, size < room ? size : room);
    memset(block, 0, room);
    gp_real.free(block);
    return result;
}

// Resizes a block that the allocator made, or a guarded one, which becomes one of the allocator's.
INLINE void *resized(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (GP_UNLIKELY(gp_thread_hides && block && size && !gp_allocator_is_foreign))
        return moved(block, size);
    if (GP_LIKELY(!gp_zombie_is_guarded(block)))
        return gp_real.realloc(block, size);
    void *result = size ? gp_real.malloc(size) : NULL;
    if (result)
        gp_guarded_sample_move(block, result, size, pc, sp, fp);
    else if (!size)
        gp_guarded_sample_free(block, pc, sp, fp);
    return result;
}

INLINE void given_back(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (GP_LIKELY(!gp_zombie_is_guarded(block)))
        gp_real.free(block);
    else
        gp_guarded_sample_free(block, pc, sp, fp);
}

// Every block is recorded.
static void *recorded_malloc(size_t size) {
    void *block = cleared(gp_real.malloc(size), 0, size);
    return gp_recording_is_on() ? gp_on_alloc(block, size, GP_HOW_MALLOC, CALLER) : block;
}

static void *recorded_calloc(size_t count, size_t size) {
    void *block = gp_real.calloc(count, size);
    return gp_recording_is_on() ? gp_on_alloc(block, count * size, GP_HOW_CALLOC, CALLER) : block;
}

INLINE void *recorded_resized(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!gp_recording_is_on())
        return resized(block, size, pc, sp, fp);
    gp_moving_block moving = gp_on_realloc_begin(block);
    // The program may have used all of the block.
    const bool has_rest = is_cleared(size) && !gp_zombie_is_guarded(block);
    const size_t used = !block ? 0 : has_rest ? usable_size(block) : size;
    void *result = cleared(resized(block, size, pc, sp, fp), used, size);
    return gp_on_realloc_end(moving, result, size, size == 0, pc, sp, fp);
}

static void *recorded_realloc(void *block, size_t size) {
    return recorded_resized(block, size, CALLER);
}

static void recorded_free(void *block) {
    if (gp_recording_is_on())
        gp_on_free(block);
    gp_real.free(block);
}

static void *recorded_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    void *block = cleared(gp_real.memalign(alignment, size), 0, size);
    return gp_recording_is_on() ? gp_on_alloc(block, size, GP_HOW_ALIGNED, pc, sp, fp) : block;
}

static const gp_entry_points recorded = {
    {.malloc = recorded_malloc, .calloc = recorded_calloc, .realloc = recorded_realloc, .free = recorded_free},
    .aligned = recorded_aligned,
    .resized = recorded_resized,
};

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

INLINE void *sampled_resized(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_moving_sample moving = gp_on_sampled_realloc_begin(block);
    const bool takes = gp_sampling_takes(size);
    void *result = resized(block, size, pc, sp, fp);
    gp_on_sampled_realloc_end(&moving, !result && size != 0);
    return takes ? gp_on_sampled_alloc(result, size, GP_HOW_REALLOC, pc, sp, fp) : result;
}

COLD static void *held_realloc(void *block, size_t size) {
    return sampled_resized(block, size, CALLER);
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

static void *sampled_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    void *block = gp_real.memalign(alignment, size);
    if (!gp_recording_is_on() || !gp_sampling_takes(size))
        return block;
    return gp_on_sampled_alloc(guarded_or(block, size, alignment, pc, sp, fp), size, GP_HOW_ALIGNED, pc, sp, fp);
}

static const gp_entry_points sampled = {
    {.malloc = sampled_malloc, .calloc = sampled_calloc, .realloc = sampled_realloc, .free = sampled_free},
    .aligned = sampled_aligned,
    .resized = sampled_resized,
};

// The same where all blocks must be known.
static void *known_malloc(size_t size) {
    const bool takes = gp_sampling_takes(size);
    void *block = cleared(gp_real.malloc(size), 0, size);
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

static void *known_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    void *block = cleared(gp_real.memalign(alignment, size), 0, size);
    if (!gp_recording_is_on())
        return block;
    const bool takes = gp_sampling_takes(size);
    if (takes)
        block = guarded_or(block, size, alignment, pc, sp, fp);
    return gp_on_known_alloc(block, size, GP_HOW_ALIGNED, takes, pc, sp, fp);
}

static const gp_entry_points known = {
    {.malloc = known_malloc, .calloc = known_calloc, .realloc = recorded_realloc, .free = known_free},
    .aligned = known_aligned,
    .resized = recorded_resized,
};

// Nothing is recorded.
static void *real_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    (void)pc, (void)sp, (void)fp;
    return gp_real.memalign(alignment, size);
}

static void *real_resized(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    (void)pc, (void)sp, (void)fp;
    return gp_real.realloc(block, size);
}

static gp_entry_points real = {.aligned = real_aligned, .resized = real_resized};

// While zombies are recorded, and after: quarantined and guarded blocks are not the allocator's.
static const gp_entry_points *passing(uint32_t state) {
    if (gp_zombies_on)
        return &gp_zombie_entry_points;
    if (state != GP_RECORDING_ON && !gp_guard_size)
        return &real;
    if (!gp_sampling_mean)
        return &recorded;
    return gp_sampling_knows_all ? &known : &sampled;
}

// The state may change meanwhile in another thread, which then comes here too: the last of both sees the last state, by a
// fence of each between its change and its entries. They release the options that the functions behind them read.
static void choose_entries(void) {
    uint32_t state;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    do {
        state = gp_recording_now();
        const bool may_fail = GP_UNLIKELY(gp_failing_is_armed) && state == GP_RECORDING_ON;
        const gp_allocator *chosen = may_fail ? &careful : &passing(state)->busiest;
        __atomic_store_n(&entries.malloc, chosen->malloc, __ATOMIC_RELEASE);
        __atomic_store_n(&entries.calloc, chosen->calloc, __ATOMIC_RELEASE);
        __atomic_store_n(&entries.realloc, chosen->realloc, __ATOMIC_RELEASE);
        __atomic_store_n(&entries.free, chosen->free, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    } while (state != gp_recording_now());
}

// Whatever is called first finds the allocator and has it decided whether to record. What the search allocates itself is
// libc's, and is not recorded.
INLINE const gp_entry_points *entry_points(void) {
    static enum { NOT_SOUGHT, SOUGHT, FOUND } allocator;
    if (allocator == NOT_SOUGHT) {
        allocator = SOUGHT;
        real.busiest = gp_real;
        gp_allocator_find();
        real.busiest = gp_real;
        gp_allocator_choose = choose_entries;
        allocator = FOUND;
    }
    if (allocator == SOUGHT)
        return &real;
    gp_recording_decided_on();
    return passing(gp_recording_now());
}

INLINE bool fails(size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    return GP_UNLIKELY(gp_failing_is_armed) && gp_allocation_fails(size, pc, sp, fp);
}

COLD static void *careful_malloc(size_t size) {
    const gp_entry_points *const points = entry_points();
    if (fails(size, CALLER))
        return NULL;
    __attribute__((musttail)) return points->busiest.malloc(size);
}

COLD static void *careful_calloc(size_t count, size_t size) {
    const gp_entry_points *const points = entry_points();
    if (fails(count * size, CALLER))
        return NULL;
    __attribute__((musttail)) return points->busiest.calloc(count, size);
}

COLD static void *careful_realloc(void *block, size_t size) {
    const gp_entry_points *const points = entry_points();
    if (size && fails(size, CALLER))
        return NULL;
    __attribute__((musttail)) return points->busiest.realloc(block, size);
}

COLD static void careful_free(void *block) {
    __attribute__((musttail)) return entry_points()->busiest.free(block);
}

INLINE void *aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    const gp_entry_points *const points = entry_points();
    return fails(size, pc, sp, fp) ? NULL : points->aligned(alignment, size, pc, sp, fp);
}

EXPORT void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    const gp_entry_points *const points = entry_points();
    return bytes && fails(bytes, CALLER) ? NULL : points->resized(block, bytes, CALLER);
}

EXPORT void *memalign(size_t alignment, size_t size) {
    return aligned(alignment, size, CALLER);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    return aligned(alignment, size, CALLER);
}

EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    int saved = errno;
    void *block = aligned(alignment, size, CALLER);
    errno = saved;
    if (!block)
        return ENOMEM;
    *result = block;
    return 0;
}

EXPORT void *valloc(size_t size) {
    return aligned((size_t)getpagesize(), size, CALLER);
}

EXPORT void *pvalloc(size_t size) {
    size_t page = (size_t)getpagesize(), rounded;
    if (__builtin_add_overflow(size, page - 1, &rounded)) {
        errno = ENOMEM;
        return NULL;
    }
    rounded &= ~(page - 1);
    return aligned(page, rounded, CALLER);
}
