// The tables that threads of the recorder share without a lock: what is found in them is what was stored there. Argument: seconds.
// Under qemu-user on x86-64 the host orders stores: what another processor would reorder, MemoryOrderTests shows.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "Check.h"
#include "Figures.h"
#include "concurrent_hash_map.h"
#include "images.h"
#include "key_table.h"
#include "live_table.h"
#include "stack_frames.h"
#include "stack_tree.h"
#include "trace_writer.h"

enum { THREADS = 8, KEYS = 2000, DEPTH = 5, CALLEES = 9, ROUNDS_OF_FORGETTING = 2000 };

// Nothing is written, and no births are kept.
void gp_write_cell(struct gp_thread *thread, const void *cell) {
    (void)thread, (void)cell;
}

void gp_images_write_pending(struct gp_thread *thread) {
    (void)thread;
}

uint64_t gp_now_ns(void) {
    return 0;
}

static gp_concurrent_map map = {.first_log2 = 6};
static uint64_t keys[1 << 12];
static _Atomic bool ended;
static _Atomic uint64_t found_in_all;

static uint64_t mixed(uint64_t number) {
    number ^= number << 13, number ^= number >> 7;
    return number ^ number << 17;
}

// A pair's value begins with its key; its place may have been another pair's.
static bool meet_pair(uint64_t random) {
    const uint64_t key = 3 + random % KEYS;
    uint64_t value = gp_pair_find(&map, key, 0, 0);
    const bool found = value != 0;
    gp_pair *pair = found ? NULL : gp_pair_claim(&map, key, 0, 0, &value);
    if (pair)
        gp_pair_publish(pair, key, key << 32 | (uint32_t)random);
    CHECK(pair || value >> 32 == key);
    return found;
}

// Whoever claims a key finds the same entry.
static void meet_key(uint64_t random) {
    const uintptr_t key = 1 + random % KEYS;
    const uint64_t *entry = gp_key_claim(GP_KEY_TABLE(keys), key);
    CHECK(entry && *entry == key && entry == gp_key_find(GP_KEY_TABLE(keys), key));
}

// Each address has two blocks by turns; regions of 64 MiB come into being on the way.
static void meet_block(uint64_t random) {
    const uintptr_t address = (uintptr_t)(1 + random % 97) << 24 | (random >> 20 & 0xfff) << 4;
    const uint32_t stack = (uint32_t)mixed(address) & 0xffffff;
    gp_block block;
    switch (random >> 40 & 3) {
    case 0:
        CHECK(gp_live_put(address, stack + 1, stack, 0));
        break;
    case 1:
        CHECK(gp_live_put(address, stack + 3, stack + 2, 0));
        break;
    default:
        if (gp_live_get(address, &block))
            CHECK(block.size == block.stack + 1 && (block.stack == stack || block.stack == stack + 2));
    }
}

// A stack's id leads to its frames, up to one that is just being made.
static void meet_stack(uint64_t random) {
    uintptr_t pcs[DEPTH];
    uint32_t node = 0;
    for (int i = 0; i < DEPTH; i++, random /= CALLEES) {
        pcs[i] = 0x10000 + (uintptr_t)i * 0x1000 + random % CALLEES * 16;
        node = gp_stack_node(NULL, node, pcs[i], 0);
        CHECK(node);
    }
    gp_figure_frame frames[DEPTH + 1];
    const size_t count = gp_figures_stack(node, frames, DEPTH + 1);
    CHECK(count <= DEPTH);
    for (size_t i = 0; i < count; i++)
        CHECK(frames[i].address == pcs[DEPTH - 1 - i]);
}

// What of an image is gone is made anew.
static void forget(uint64_t random) {
    const uint64_t low = random % KEYS;
    gp_pair_forget(&map, ~(uint64_t)0, 3 + low, 3 + low + KEYS / 4);
    gp_stack_nodes_forget(0x13000, 0x13000 + 32, 0);
}

static void *meet(void *number) {
    uint64_t random = mixed((uintptr_t)number), found = 0;
    for (unsigned round = 1; !atomic_load(&ended); round++) {
        random = mixed(random);
        found += meet_pair(random);
        meet_key(random >> 8);
        meet_block(random >> 4);
        meet_stack(random >> 16);
        if (round % ROUNDS_OF_FORGETTING == 0)
            forget(random);
    }
    atomic_fetch_add(&found_in_all, found);
    return NULL;
}

int main(int count, char **arguments) {
    const double seconds = count > 1 ? strtod(arguments[1], NULL) : 0.3;
    gp_stack_frames_keep_all();
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, meet, (void *)(i + 1));
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (long)seconds) * 1e9)}, NULL);
    atomic_store(&ended, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(found_in_all > 0);
    puts("passed");
}
