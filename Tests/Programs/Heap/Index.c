// Looks up addresses in a heap made by hand.
#include "FakeHeap.h"

int main(void) {
    gp_block_index index;
    CHECK(gp_index_prepare(&index, 1000));
    uintptr_t small = (uintptr_t)fake_block(&index, 24);
    uintptr_t huge = (uintptr_t)fake_block(&index, (5 << 20) + 8);
    uintptr_t last = (uintptr_t)fake_block(&index, 40);
    CHECK(gp_index_exact(&index, small) == 0 && gp_index_exact(&index, huge) == 1 && gp_index_exact(&index, last) == 2);
    CHECK(gp_index_exact(&index, small + 8) == GP_NO_BLOCK && gp_index_exact(&index, small - 16) == GP_NO_BLOCK);
    CHECK(gp_index_exact(&index, 0) == GP_NO_BLOCK && gp_index_exact(&index, ~0ull) == GP_NO_BLOCK);
    CHECK(gp_index_last_start(&index, small + 23) == small);
    // Regions in which no block starts know the one that reaches into them.
    CHECK(gp_index_last_start(&index, huge + (3 << 20)) == huge && gp_index_last_start(&index, last + 39) == last);
    CHECK(gp_index_last_start(&index, 0) == 0 && gp_index_last_start(&index, ~0ull) == 0);
    puts("passed");
    return 0;
}
