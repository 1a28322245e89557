// Marks a heap made by hand, and says what a word keeps alive.
#include "../../../Sources/Recorder/Leaks/block_index.h"
#include "../../../Sources/Recorder/Leaks/mark.h"
#include "FakeHeap.h"

static gp_block_index heap_index;
static gp_marker marker;

static void mark_from(uintptr_t word, bool next_chunks) {
    gp_mark_restart(&marker, NULL);
    gp_mark_range(&marker, (uintptr_t)&word, (uintptr_t)(&word + 1), next_chunks);
    gp_mark_follow(&marker);
}

static bool is_alive(const uintptr_t *block) {
    return gp_set_has(marker.marked, gp_index_exact(&heap_index, (uintptr_t)block));
}

static uint8_t owners_of(const uintptr_t *block) {
    return marker.owners[gp_index_exact(&heap_index, (uintptr_t)block)];
}

static bool is_shown(const uintptr_t *block) {
    return gp_set_has(marker.conservative, gp_index_exact(&heap_index, (uintptr_t)block));
}

// What a type says once for all its objects is worth what decoding each would say: strong references are counted, a
// number that looks like an address shows its block and owns nothing.
static void plans_and_decoding_agree(void) {
    CHECK(gp_index_prepare(&heap_index, 1000));
    uintptr_t *decoded = fake_object(&heap_index), *planned = fake_object(&heap_index);
    uintptr_t *owned = fake_object(&heap_index), *guessed = fake_object(&heap_index);
    CHECK(gp_mark_prepare(&marker, &heap_index));
    planned[0] = PLAIN_OBJECT;
    planned[2] = decoded[2] = (uintptr_t)owned;
    planned[3] = (uintptr_t)guessed;
    mark_from((uintptr_t)decoded, false);
    mark_from((uintptr_t)planned, false);
    CHECK(is_alive(owned) && is_alive(guessed));
    CHECK(owners_of(owned) == 2 && !is_shown(owned));
    CHECK(owners_of(guessed) == 0 && is_shown(guessed));
    CHECK(owners_of(planned) == 0 && is_shown(planned));
}

static bool is_named(const uintptr_t *holder, const uintptr_t *named) {
    uint32_t from = holder ? gp_index_exact(&heap_index, (uintptr_t)holder) : GP_NO_BLOCK;
    uint32_t to = gp_index_exact(&heap_index, (uintptr_t)named);
    for (size_t i = 0; i + 1 < marker.namings.count; i += 2)
        if (marker.namings.items[i] == from && marker.namings.items[i + 1] == to)
            return true;
    return false;
}

// Who names a proved block: the beginning of it, by a word that lasts and owns nothing.
static void namings_of_closed_blocks_are_noted(void) {
    CHECK(gp_index_prepare(&heap_index, 1000));
    uintptr_t *raw = fake_block(&heap_index, 40, 40), *holder = fake_object(&heap_index);
    uintptr_t *exact = fake_object(&heap_index), *tagged = fake_object(&heap_index), *inside = fake_object(&heap_index);
    uintptr_t *weak = fake_object(&heap_index), *rooted = fake_object(&heap_index);
    CHECK(gp_mark_prepare(&marker, &heap_index));
    raw[0] = (uintptr_t)exact;
    raw[1] = (uintptr_t)tagged + 3;
    raw[2] = (uintptr_t)inside + 16;
    raw[3] = (uintptr_t)holder;
    holder[3] = (uintptr_t)weak;
    uint64_t proved[1] = {0};
    uintptr_t *members[] = {exact, tagged, inside, weak, rooted};
    for (int i = 0; i < 5; i++)
        gp_set_add(proved, gp_index_exact(&heap_index, (uintptr_t)members[i]));
    gp_mark_restart(&marker, proved);
    uintptr_t roots[] = {(uintptr_t)raw, (uintptr_t)rooted};
    gp_mark_range(&marker, (uintptr_t)roots, (uintptr_t)(roots + 2), false);
    gp_mark_follow(&marker);
    CHECK(is_named(raw, exact) && is_named(raw, tagged));
    CHECK(!is_named(raw, inside) && !is_named(holder, weak) && !is_named(NULL, rooted));
    CHECK(!is_alive(exact) && !is_alive(rooted));
    marker.roots_name = true;
    gp_mark_range(&marker, (uintptr_t)roots, (uintptr_t)(roots + 2), false);
    CHECK(is_named(NULL, rooted));
}

int main(void) {
    namings_of_closed_blocks_are_noted();
    plans_and_decoding_agree();
    CHECK(gp_index_prepare(&heap_index, 1000));
    uintptr_t *raw = fake_block(&heap_index, 24, 8), *object = fake_object(&heap_index);
    uintptr_t *strong = fake_object(&heap_index), *weak = fake_object(&heap_index), *hidden = fake_object(&heap_index);
    uintptr_t *table = fake_block(&heap_index, 40, 32);
    CHECK(gp_mark_prepare(&marker, &heap_index));
    raw[0] = (uintptr_t)object;
    raw[1] = (uintptr_t)hidden;  // in the slack: left there by the block's last owner
    object[2] = (uintptr_t)strong;
    object[3] = (uintptr_t)weak;

    mark_from((uintptr_t)raw, false);
    CHECK(is_alive(raw) && is_alive(object) && is_alive(strong));
    CHECK(!is_alive(weak));
    CHECK(!is_alive(hidden));

    // A key path has more than its class says, and does not grow into the rest of its block.
    uintptr_t *path = fake_block(&heap_index, 56, 48);
    path[0] = KEY_PATH;
    path[5] = (uintptr_t)strong;
    path[6] = (uintptr_t)hidden;
    mark_from((uintptr_t)path, false);
    CHECK(is_alive(strong) && !is_alive(hidden));

    mark_from((uintptr_t)strong + 17, false);
    CHECK(is_alive(strong) && !is_alive(object));
    // A native string's object: discriminator in the top byte, address biased by 32.
    mark_from(((uintptr_t)strong - 32) | 0x80ull << 56, false);
    CHECK(is_alive(strong));
    mark_from((uintptr_t)strong | 0x40ull << 56, false);
    CHECK(is_alive(strong));

    // A counter of 16 bits above the address, as the heads of lock-free lists have it.
    mark_from((uintptr_t)strong | 0x1234ull << 48, false);
    CHECK(is_alive(strong) && !is_alive(object));

    // The allocator's own word for the chunk behind a block is no reference to the block.
    mark_from(gp_next_chunk((uintptr_t)strong), true);
    CHECK(!is_alive(strong));
    mark_from(gp_next_chunk((uintptr_t)strong), false);
    CHECK(is_alive(strong));

    // A side table keeps its object's memory known, not the object alive; the object keeps its table.
    table[0] = (uintptr_t)weak;
    weak[1] = (uintptr_t)table >> 3 | 3ull << 62;
    mark_from((uintptr_t)table, false);
    CHECK(is_alive(table) && !is_alive(weak));
    mark_from((uintptr_t)weak, false);
    CHECK(is_alive(table) && is_alive(weak));

    uint64_t proved[1] = {1ull << gp_index_exact(&heap_index, (uintptr_t)object)};
    gp_mark_restart(&marker, proved);
    gp_mark_word(&marker, (uintptr_t)raw);
    gp_mark_follow(&marker);
    CHECK(is_alive(raw) && !is_alive(object) && !is_alive(strong));
    puts("passed");
    return 0;
}
