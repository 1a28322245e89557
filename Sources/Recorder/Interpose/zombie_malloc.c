#include "allocator.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>

#include "arch.h"
#include "live_table.h"
#include "next.h"
#include "recording.h"
#include "slow_path.h"
#include "zombies.h"

// What the allocator gives. When it has no memory dead blocks make room, as it would have had that room without them.
#define ANYHOW(call, size)                                                                                             \
    ({                                                                                                                 \
        void *made = call;                                                                                             \
        while (GP_UNLIKELY(!made) && gp_zombie_make_room(size, gp_real.free))                                          \
            made = call;                                                                                               \
        made;                                                                                                          \
    })

// Larger blocks are moved by the kernel, without copying.
enum { MOVED_BY_COPYING = 128 << 10 };

static void *allocate(size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (gp_zombies_sampled_only) {
        void *sampled = gp_zombie_guarded_block(size, 16, sp);
        return sampled ? gp_zombie_born(sampled, size, pc, sp, fp) : gp_real.malloc(size);
    }
    if (!gp_recording_decided_on())
        return gp_real.malloc(size);
    void *block = gp_zombies_guard ? gp_zombie_guarded_block(size, 16, sp) : NULL;
    if (block)
        return gp_zombie_born(block, size, pc, sp, fp);
    return gp_zombie_made(ANYHOW(gp_real.malloc(size), size), size, pc, sp, fp, gp_real.free);
}

// Not inlined, so that clang 17 does not move its tail call into a cold part of another type, and fail.
__attribute__((noinline)) static void *watched_malloc(size_t size) {
    if (__builtin_expect(gp_zombies_sampled_only, 0) && !gp_zombie_is_sampled())
        __attribute__((musttail)) return gp_real.malloc(size);
    bool is_plain = !gp_zombies_guard && gp_recording_now() == GP_RECORDING_ON;
    return GP_LIKELY(is_plain) ? gp_zombie_made(ANYHOW(gp_real.malloc(size), size), size, CALLER, gp_real.free)
                               : allocate(size, CALLER);
}

static void *allocate_zeroed(size_t count, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, size, &bytes);
    void *block = fits ? ANYHOW(gp_real.calloc(count, size), bytes) : gp_real.calloc(count, size);
    return !gp_zombies_sampled_only && gp_recording_decided_on() ? gp_zombie_born(block, bytes, pc, sp, fp) : block;
}

static void *watched_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!gp_recording_decided_on())
        return gp_real.memalign(alignment, size);
    // Objects of actors, and those with wide vectors, are made in this way.
    if (gp_zombies_sampled_only) {
        void *sampled = gp_zombie_guarded_block(size, alignment, sp);
        return sampled ? gp_zombie_born(sampled, size, pc, sp, fp) : gp_real.memalign(alignment, size);
    }
    void *block = gp_zombies_guard ? gp_zombie_guarded_block(size, alignment, sp) : NULL;
    if (block)
        return gp_zombie_born(block, size, pc, sp, fp);
    block = alignment < SIZE_MAX / 2 - size ? ANYHOW(gp_real.memalign(alignment, size), alignment + size)
                                            : gp_real.memalign(alignment, size);
    return alignment <= GP_PAGE ? gp_zombie_made(block, size, pc, sp, fp, gp_real.free)
                                : gp_zombie_born(block, size, pc, sp, fp);
}

GP_SLOW_PATH static void free_otherwise(void *block, gp_quarantine_result quarantine) {
    if (quarantine == GP_QUARANTINED)
        return;
    // The allocator does not know a block on pages of its own: it speaks of another one.
    if (quarantine == GP_DIED_TWICE && gp_zombie_is_guarded(block))
        block = gp_real.malloc(gp_zombie_guarded_size(block));
    if (quarantine == GP_DIED_TWICE)
        gp_real.free(block);
    gp_real.free(block);
}

static void give_up(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!block)
        return;
    bool records = gp_recording_decided_on();
    if ((!records || gp_zombies_sampled_only) && !gp_zombie_is_guarded(block)) {
        gp_real.free(block);
        return;
    }
    if (records)
        free_otherwise(block, gp_zombie_quarantine(block, pc, sp, fp, gp_real.free));
}

__attribute__((noinline)) static void watched_free(void *block) {
    if (__builtin_expect(gp_zombies_sampled_only, 0) && !gp_zombie_is_guarded(block))
        __attribute__((musttail)) return gp_real.free(block);
    bool is_plain = block && !gp_zombies_guard && gp_recording_now() == GP_RECORDING_ON;
    if (!GP_LIKELY(is_plain)) {
        give_up(block, CALLER);
        return;
    }
    gp_quarantine_result quarantine = gp_zombie_quarantine(block, CALLER, gp_real.free);
    if (GP_UNLIKELY(quarantine != GP_QUARANTINED))
        free_otherwise(block, quarantine);
}

static size_t room_of(void *block) {
    return gp_zombie_is_guarded(block) ? gp_zombie_guarded_size(block) : malloc_usable_size(block);
}

// A block that moves dies where it was.
static void *move(void *block, size_t kept, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    void *fresh = gp_zombie_born(ANYHOW(gp_real.malloc(size), size), size, pc, sp, fp);
    if (!fresh)
        return NULL;
    memcpy(fresh, block, kept < size ? kept : size);
    give_up(block, pc, sp, fp);
    return fresh;
}

static void *resized(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    if (!block)
        return allocate(size, pc, sp, fp);
    bool records = gp_recording_decided_on() && (!gp_zombies_sampled_only || gp_zombie_is_guarded(block));
    if (!records && !gp_zombie_is_guarded(block))
        return gp_real.realloc(block, size);
    if (size == 0) {
        give_up(block, pc, sp, fp);
        return NULL;
    }
    int state = records ? gp_zombie_resized(block, (gp_registers){pc, sp, fp, 0}) : GP_RESIZE_LIVES;
    if (state == GP_RESIZE_DEAD)
        return allocate(size, pc, sp, fp);
    size_t room = state == GP_RESIZE_LIVES ? room_of(block) : 0;
    if (gp_zombie_is_guarded(block) || (state == GP_RESIZE_LIVES && room < MOVED_BY_COPYING)) {
        if (size <= room && size >= room / 2)
            return gp_zombie_born(block, size, pc, sp, fp);
        return move(block, room, size, pc, sp, fp);
    }
    gp_block known;
    bool taken = gp_live_take((uintptr_t)block, &known);
    void *result = ANYHOW(gp_real.realloc(block, size), size);
    if (!result && taken)
        gp_live_put((uintptr_t)block, known.size, known.stack, known.flags);
    return gp_zombie_born(result, size, pc, sp, fp);
}

static void *watched_calloc(size_t count, size_t size) {
    return allocate_zeroed(count, size, CALLER);
}

static void *watched_realloc(void *block, size_t size) {
    return resized(block, size, CALLER);
}

const gp_entry_points gp_zombie_entry_points = {
    {.malloc = watched_malloc, .calloc = watched_calloc, .realloc = watched_realloc, .free = watched_free},
    .aligned = watched_aligned,
    .resized = resized,
};

// Swift's arrays grow into what the allocator gave beyond what was asked for.
GP_EXPORT size_t malloc_usable_size(void *block) {
    static size_t (*next)(void *);
    if (gp_zombie_is_guarded(block))
        return gp_zombie_guarded_size(block);
    if (!next)
        next = GP_NEXT_OR(malloc_usable_size, __malloc_usable_size);
    return next(block);
}
