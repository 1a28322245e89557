#include "stack_frames.h"

#include <stdatomic.h>

#include "Figures.h"
#include "TraceFormat.h"
#include "arena.h"

enum {
    SEGMENT_BITS = 16,
    SEGMENTS = 1 << 12,  // a stack id has 28 bits
    EXACT_BIT = 62,
};

typedef struct {
    _Atomic uint64_t pc;  // with EXACT_BIT; 0: not known
    uint32_t parent;
} kept_frame;

bool gp_stack_frames_are_kept;
static kept_frame *_Atomic segments[SEGMENTS];

void gp_stack_frames_keep_all(void) {
    gp_stack_frames_are_kept = true;
}

static kept_frame *frame_of(uint32_t id) {
    const uint32_t segment = id >> SEGMENT_BITS;
    kept_frame *frames = segment < SEGMENTS ? atomic_load_explicit(&segments[segment], memory_order_acquire) : NULL;
    return frames ? &frames[id & ((1u << SEGMENT_BITS) - 1)] : NULL;
}

void gp_stack_frame_store(uint32_t id, uint32_t parent, uintptr_t pc, uint8_t flags) {
    const uint32_t segment = id >> SEGMENT_BITS;
    if (segment < SEGMENTS && !atomic_load_explicit(&segments[segment], memory_order_acquire)) {
        kept_frame *nobody = NULL, *fresh = gp_arena_allocate(sizeof *fresh << SEGMENT_BITS);
        if (fresh)
            atomic_compare_exchange_strong(&segments[segment], &nobody, fresh);
    }
    kept_frame *frame = frame_of(id);
    if (!frame)
        return;
    frame->parent = parent;
    atomic_store_explicit(&frame->pc, pc | (uint64_t)(flags & GP_FRAME_EXACT) << EXACT_BIT, memory_order_release);
}

// Ends at a frame that is just being made.
size_t gp_figures_stack(uint32_t stack, gp_figure_frame *frames, size_t capacity) {
    size_t count = 0;
    for (kept_frame *frame; stack && count < capacity && (frame = frame_of(stack)); stack = frame->parent) {
        const uint64_t pc = atomic_load_explicit(&frame->pc, memory_order_acquire);
        if (!pc)
            break;
        frames[count++] = (gp_figure_frame){.address = pc & ~(1ull << EXACT_BIT), .is_exact = pc >> EXACT_BIT & 1};
    }
    return count;
}
