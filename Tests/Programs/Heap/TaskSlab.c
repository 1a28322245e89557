// The slab of a suspended task with frames that were taken off, an empty one behind it, and memory that is no slab.
#include <string.h>

#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "../../../Sources/Recorder/Leaks/mark.h"
#include "FakeHeap.h"

enum { CAPACITY = 96, BYTES = 32 + CAPACITY, FRAME = 32 };

static gp_block_index heap_index;
static gp_marker marker;
static uintptr_t roots[3];

// A slab of `used` bytes whose frames name `first` and, behind it, `second`.
static uintptr_t *slab(uint32_t capacity, uint32_t used, uintptr_t *first, uintptr_t *second) {
    uintptr_t *block = fake_block(&heap_index, 136, BYTES);
    block[0] = (uintptr_t)roots;
    block[2] = (uintptr_t)used << 32 | capacity;
    block[5] = block[9] = (uintptr_t)block;
    block[6] = (uintptr_t)first;
    block[10] = (uintptr_t)second;
    return block;
}

static bool lives(uintptr_t *block) {
    return gp_set_has(marker.marked, gp_index_exact(&heap_index, (uintptr_t)block));
}

int main(void) {
    CHECK(gp_index_prepare(&heap_index, 1000));
    uintptr_t *object[8];
    for (unsigned i = 0; i < 8; i++)
        object[i] = fake_object(&heap_index);
    uintptr_t *full = slab(CAPACITY, 2 * FRAME, object[0], object[1]);
    uintptr_t *half = slab(CAPACITY, FRAME, object[2], object[3]);
    uintptr_t *empty = slab(CAPACITY, 0, object[4], object[5]);
    half[1] = (uintptr_t)empty;
    uintptr_t *shorter = slab(CAPACITY - 2 * FRAME, FRAME, object[6], object[7]);  // not as long as it says
    roots[0] = (uintptr_t)full;
    roots[1] = (uintptr_t)half;
    roots[2] = (uintptr_t)shorter;
    CHECK(gp_mark_prepare(&marker, &heap_index));
    gp_mark_range(&marker, (uintptr_t)roots, (uintptr_t)(roots + 3), false);
    gp_mark_follow(&marker);
    CHECK(lives(object[0]) && lives(object[1]));
    CHECK(lives(object[2]) && !lives(object[3]));
    CHECK(lives(empty) && !lives(object[4]) && !lives(object[5]));
    CHECK(lives(object[6]) && lives(object[7]));
    puts("passed");
    return 0;
}
