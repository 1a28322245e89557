// A table of the Swift runtime with room left, in memory that held an object's address before; and memory that is none.
#include <string.h>

#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "../../../Sources/Recorder/Leaks/stale_filters.h"
#include "FakeHeap.h"

typedef struct {
    uint32_t readers, count;
    uintptr_t elements, indices;
} table;

enum { CAPACITY = 4, BYTES = 8 + CAPACITY * 8 };

static gp_block_index heap_index;
static uintptr_t ends[8];  // where what holds something ends, by table
static uintptr_t blocks[8];
static size_t found;
static size_t asked[32];  // by block of the heap

bool gp_live_get(uintptr_t address, gp_block *block) {
    *block = (gp_block){.address = address, .size = asked[gp_index_exact(&heap_index, address)]};
    return true;
}

static uintptr_t *block_of(size_t usable, size_t size) {
    uintptr_t *block = fake_block(&heap_index, usable);
    asked[gp_index_exact(&heap_index, (uintptr_t)block)] = size;
    return block;
}

static void note(uintptr_t start, uintptr_t end, void *context) {
    (void)context;
    blocks[found] = start;
    ends[found++] = end;
}

static struct { table first, second, bigger, large, queue, wide; } data;

// A block of a capacity and elements, the last of which names `named`.
static uintptr_t elements_that_name(uintptr_t *named, uint32_t capacity) {
    uintptr_t *block = block_of(40, BYTES);
    block[0] = 0x55500000000ull << 16 | capacity;
    block[1] = block[2] = block[3] = (uintptr_t)&data;
    block[4] = (uintptr_t)named;
    return (uintptr_t)block;
}

// The same of elements with three words, the last of which is zero.
static uintptr_t wide_elements_that_name(uintptr_t *named) {
    enum { WORDS = 3, WIDE_BYTES = 8 + CAPACITY * WORDS * 8 };
    uintptr_t *block = block_of(WIDE_BYTES, WIDE_BYTES);
    block[0] = CAPACITY;
    for (int i = 1; i < CAPACITY * WORDS; i += WORDS) {
        block[i] = block[i + 1] = (uintptr_t)&data;
        block[i + 2] = 0;
    }
    block[CAPACITY * WORDS] = (uintptr_t)named;
    return (uintptr_t)block;
}

// Indices of 8 bits in memory of their own, of which `count` are used.
static uintptr_t indices_of(uint32_t count) {
    uint8_t *block = (uint8_t *)block_of(24, 16);
    block[0] = 4;  // the logarithm of how many there are
    for (uint32_t i = 0; i < count; i++)
        block[2 + 3 * i] = (uint8_t)(i + 1);
    return (uintptr_t)block | 1;
}

// Whether the word in the last element of a table's memory counts as held.
static bool counts(uintptr_t elements, size_t bytes) {
    for (size_t i = 0; i < found; i++)
        if (blocks[i] == elements)
            return ends[i] >= elements + bytes;
    return true;
}

int main(void) {
    CHECK(gp_index_prepare(&heap_index, 1000));
    uintptr_t *stale = fake_object(&heap_index), *used = fake_object(&heap_index), *other = fake_object(&heap_index);
    uintptr_t *late = fake_object(&heap_index), *waiting = fake_object(&heap_index);
    uintptr_t *behind = fake_object(&heap_index);
    data.first = (table){0, 3, elements_that_name(stale, CAPACITY), 0x3000200010};
    data.second = (table){0, 4, elements_that_name(used, CAPACITY), 0x3000200410};
    data.bigger = (table){0, 3, elements_that_name(other, CAPACITY + 1), 0x3000200010};  // not as long as it says
    data.large = (table){0, 3, elements_that_name(late, CAPACITY), indices_of(3)};
    data.queue = (table){0, 3, elements_that_name(waiting, CAPACITY), 0};  // a program's: head, count, ring
    data.wide = (table){0, 3, wide_elements_that_name(behind), 0x3000200010};
    gp_root_words words = {.kind = GP_ROOT_GLOBAL, .start = (uintptr_t)&data, .end = (uintptr_t)&data + sizeof data};
    gp_runtime_tables_note(&words, &heap_index);
    gp_runtime_tables_each(note, NULL);
    CHECK(!counts(data.first.elements, BYTES));
    CHECK(counts(data.second.elements, BYTES));
    CHECK(counts(data.bigger.elements, BYTES));
    CHECK(!counts(data.large.elements, BYTES));
    CHECK(counts(data.queue.elements, BYTES));
    CHECK(!counts(data.wide.elements, 8 + CAPACITY * 3 * 8));
    puts("passed");
    return 0;
}
