// A table of the Swift runtime with room left, in memory that held an object's address before; and memory that is none.
#include <string.h>

#include "../../Sources/CCapture/heap/bits.h"
#include "../../Sources/CCapture/heap/mark.h"
#include "../../Sources/CCapture/heap/runtime_tables.h"
#include "FakeHeap.h"

typedef struct {
    uint32_t readers, count;
    uintptr_t elements;
} table;

enum { CAPACITY = 4, BYTES = 8 + CAPACITY * 8 };

static gp_block_index heap_index;
static gp_marker marker;
static struct { table first, second, bigger; } data;

// A block of a capacity and elements, the last of which names `named`.
static uintptr_t elements_that_name(uintptr_t *named, uint32_t capacity) {
    uintptr_t *block = fake_block(&heap_index, 40, BYTES);
    block[0] = 0x55500000000ull << 16 | capacity;
    block[1] = block[2] = block[3] = (uintptr_t)&data;
    block[4] = (uintptr_t)named;
    return (uintptr_t)block;
}

static bool lives(uintptr_t *block) {
    return gp_bits_has(marker.marked, gp_index_exact(&heap_index, (uintptr_t)block));
}

int main(void) {
    CHECK(gp_index_prepare(&heap_index, 1000));
    uintptr_t *stale = fake_object(&heap_index), *used = fake_object(&heap_index), *other = fake_object(&heap_index);
    data.first = (table){0, 3, elements_that_name(stale, CAPACITY)};
    data.second = (table){0, 4, elements_that_name(used, CAPACITY)};
    data.bigger = (table){0, 3, elements_that_name(other, CAPACITY + 1)};  // not as long as it says
    CHECK(gp_mark_prepare(&marker, &heap_index));
    gp_root_words words = {.kind = GP_ROOT_GLOBAL, .start = (uintptr_t)&data, .end = (uintptr_t)&data + sizeof data};
    gp_runtime_tables_note(&words, &heap_index);
    gp_mark_range(&marker, words.start, words.end, false);
    gp_mark_follow(&marker);
    CHECK(!lives(stale));
    CHECK(lives(used));
    CHECK(lives(other));
    puts("passed");
    return 0;
}
