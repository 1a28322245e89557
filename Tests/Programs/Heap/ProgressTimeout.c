// What a program sees of its frozen child: woken ten thousand times a second, seldom, or after it was stopped for an hour.
#include <stdio.h>
#include <stdlib.h>

#include "../../../Sources/Recorder/OS/include/progress_timeout.h"
#include "Check.h"

static const uint64_t MILLISECOND = 1000000, SECOND = 1000000000;
static gp_progress_timeout patience;
static uint64_t now;

static bool is_over_after(uint64_t ns, uint32_t progress) {
    now += ns;
    return gp_progress_timed_out(&patience, now, progress, 20 * MILLISECOND, 30 * SECOND);
}

static uint64_t looks_until_over(uint64_t ns) {
    uint64_t looks = 1;
    while (!is_over_after(ns, 1))
        looks++;
    is_over_after(0, 2);
    is_over_after(0, 1);
    return looks;
}

int main(void) {
    now = 7 * SECOND;
    patience = (gp_progress_timeout){.last_ns = now, .progress = 1};
    CHECK(looks_until_over(10 * MILLISECOND) == 3001);
    CHECK(looks_until_over(MILLISECOND / 10) == 300001);
    CHECK(!is_over_after(3600 * SECOND, 1));
    CHECK(looks_until_over(10 * MILLISECOND) == 2999);
    for (uint32_t progress = 2; progress < 10000; progress++)
        CHECK(!is_over_after(10 * MILLISECOND, progress));
    puts("passed");
}
