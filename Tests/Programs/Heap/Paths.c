// The shortest ways from the roots on a heap of chance, against brute force.
#include <stdatomic.h>
#include <string.h>

#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "../../../Sources/Recorder/Leaks/root_paths.h"
#include "FakeHeap.h"

enum { OBJECTS = 400, ROUNDS = 60, FAR = 1 << 20 };

static uintptr_t lasting[4], passing[4];
static uintptr_t *objects[OBJECTS];
static uint32_t distance[OBJECTS];
static uint32_t state = 1;

static uint32_t chance(uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void visit(uint8_t kind, const uintptr_t *words, gp_root_visitor visitor, void *context) {
    gp_root_words run = {.kind = kind, .start = (uintptr_t)words, .end = (uintptr_t)(words + 4)};
    visitor(&run, context);
}
void gp_roots_each_lasting(const gp_roots *roots, gp_root_visitor visitor, void *context) {
    (void)roots;
    visit(GP_ROOT_GLOBAL, lasting, visitor, context);
}
void gp_roots_each_passing(const gp_roots *roots, gp_root_visitor visitor, void *context) {
    (void)roots;
    visit(GP_ROOT_STACK, passing, visitor, context);
}
// No libdispatch here.
void gp_dispatch_cache_each(const gp_roots *roots, void (*visitor)(uint32_t block, void *context), void *context) {
    (void)roots, (void)visitor, (void)context;
}

static uint32_t number_of(uintptr_t word) {
    for (uint32_t i = 0; i < OBJECTS; i++)
        if ((uintptr_t)objects[i] == word)
            return i;
    return OBJECTS;
}

// Distances from the roots in `words`, of what nothing nearer reached before, by relaxing until nothing changes.
static void measure(const uintptr_t *words, uint32_t origin) {
    for (int i = 0; i < 4; i++)
        if (words[i] && distance[number_of(words[i])] == FAR)
            distance[number_of(words[i])] = origin;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = 0; i < OBJECTS; i++) {
            uint32_t next = distance[i] < FAR ? number_of(objects[i][2]) : OBJECTS;
            if (next < OBJECTS && distance[i] + 1 < distance[next] && (distance[next] >= origin)) {
                distance[next] = distance[i] + 1;
                changed = 1;
            }
        }
    }
}

static uint32_t length_of_way(const gp_root_walk *walk, uint32_t block) {
    uint32_t length = 0;
    while (walk->holder[block] >= GP_HELD_BY_BLOCK) {
        block = walk->holder[block] - GP_HELD_BY_BLOCK;
        length++;
    }
    CHECK(walk->holder[block] == GP_HELD_BY_ROOT);
    return length;
}

static void try_once(void) {
    gp_block_index index;
    memset(heap, 0, sizeof heap);
    heap_used = 0;
    CHECK(gp_index_prepare(&index, OBJECTS));
    for (uint32_t i = 0; i < OBJECTS; i++)
        objects[i] = chance(3) ? fake_object(&index) : fake_block(&index, 40 + 16 * chance(4), 32);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        objects[i][2] = chance(4) ? (uintptr_t)objects[chance(OBJECTS)] : 0;
        objects[i][3] = objects[i][0] == OBJECT ? (uintptr_t)objects[chance(OBJECTS)] : 0;  // weak
        distance[i] = FAR;
    }
    for (int i = 0; i < 4; i++) {
        lasting[i] = chance(2) ? (uintptr_t)objects[chance(OBJECTS)] : 0;
        passing[i] = chance(2) ? (uintptr_t)objects[chance(OBJECTS)] : 0;
    }
    uint64_t wanted[OBJECTS / 64 + 1] = {0};
    _Atomic uint32_t progress = 0;
    gp_root_walk walk = {.index = &index, .wanted = wanted, .progress = &progress};
    CHECK(gp_root_walk_run(&walk, 0));
    gp_block_places places;
    CHECK(gp_places_prepare(&places, &index));
    measure(lasting, 0);
    measure(passing, 10000);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        CHECK(gp_place_of(&places, i) == (uintptr_t)objects[i]);
        CHECK((walk.holder[i] == GP_NOT_REACHED) == (distance[i] == FAR));
        if (distance[i] < FAR)
            CHECK(length_of_way(&walk, i) == distance[i] % 10000);
    }
}

int main(void) {
    for (int round = 0; round < ROUNDS; round++)
        try_once();
    puts("passed");
    return 0;
}
