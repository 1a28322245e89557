// The nearest block before an address, beside a walk from granule to granule.
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"
#include "live_table.h"
#include "alloc_hooks.h"

// Never called: nothing is counted here, and no births are kept.
uint16_t gp_counter_here(void) {
    return 0;
}

uint64_t gp_now_ns(void) {
    return 0;
}

static bool slowly(uintptr_t address, size_t reach, gp_block *block) {
    for (uintptr_t at = address & ~(uintptr_t)15; at + reach >= address && at >= 16; at -= 16)
        if (gp_live_get(at, block))
            return true;
    return false;
}

static uint64_t state = 7;

static uint64_t number(uint64_t limit) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % limit;
}

int main(void) {
    // Across the end of one second-level table and of several pages of entries, with wide gaps.
    const uintptr_t middle = (uintptr_t)0x5600 << 26, span = 1 << 18;
    for (int i = 0; i < 60; i++)
        gp_live_put((middle - span / 2 + number(span)) & ~(uintptr_t)15, 1 + number(20000), 1, 0);
    for (int i = 0; i < 200000; i++) {
        uintptr_t address = middle - span + number(2 * span);
        size_t reach = number(2) ? 16384 : number(40000);
        gp_block block = {0}, expected = {0};
        bool found = slowly(address, reach, &expected);
        CHECK(gp_live_get_before(address, reach, &block) == found);
        CHECK(!found || (block.address == expected.address && block.size == expected.size));
    }
    gp_block block;
    CHECK(!gp_live_get_before(8, 16384, &block) && !gp_live_get_before(~0ull, 16384, &block));
    puts("passed");
    return 0;
}
