// Looks up addresses in a heap made by hand.
#include "FakeHeap.h"

static uint32_t visited;

static bool in_order(uint32_t block, uintptr_t start, void *context) {
    const gp_block_index *index = context;
    CHECK(block == visited++);
    CHECK(gp_index_exact(index, start) == block);
    return true;
}

int main(void) {
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t small = (uintptr_t)fake_block(&index, 24, 24);
    uintptr_t huge = (uintptr_t)fake_block(&index, (5 << 20) + 8, 5 << 20);
    uintptr_t last = (uintptr_t)fake_block(&index, 40, 20);
    uintptr_t start = 0;
    CHECK(gp_index_exact(&index, small) == 0 && gp_index_exact(&index, huge) == 1 && gp_index_exact(&index, last) == 2);
    CHECK(gp_index_exact(&index, small + 8) == GP_NO_BLOCK && gp_index_exact(&index, small - 16) == GP_NO_BLOCK);
    CHECK(gp_index_inside(&index, small + 23, &start) == 0 && start == small);
    CHECK(gp_index_inside(&index, small + 24, &start) == GP_NO_BLOCK);
    // Regions in which no block starts know the one that reaches into them.
    CHECK(gp_index_inside(&index, huge + (3 << 20), &start) == 1 && start == huge);
    CHECK(gp_index_inside(&index, last + 39, &start) == 2 && start == last);
    CHECK(gp_index_inside(&index, 0, &start) == GP_NO_BLOCK && gp_index_inside(&index, ~0ull, &start) == GP_NO_BLOCK);
    CHECK(gp_index_slack(&index, 0) == 0 && gp_index_slack(&index, 1) == 1 && gp_index_slack(&index, 2) == 2);
    gp_index_each(&index, in_order, &index);
    CHECK(visited == 3);
    puts("passed");
    return 0;
}
