// Which blocks are sampled, by the recorder's own function: the gaps against the exponential, the weights against libm, and
// many seeded runs of one program whose samples are printed for the estimator.
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Check.h"
#include "block_sampling.h"

enum { GAPS = 2000, RUNS = 400 };

static void begin(const char *options) {
    gp_sampling_start(options, false);
    gp_sampling_here = (gp_sampling_thread){.left = 0};
}

static int by_size(const void *first, const void *second) {
    const double difference = *(const double *)first - *(const double *)second;
    return (difference > 0) - (difference < 0);
}

// Anderson and Darling's statistic against the exponential whose mean is known; a gap of n bytes stands for the middle of
// its byte.
static double anderson_darling(double *gaps, int count, double mean) {
    double sum = 0;
    qsort(gaps, (size_t)count, sizeof *gaps, by_size);
    for (int i = 0; i < count; i++) {
        const double below = log(-expm1(-gaps[i] / mean)), above = -gaps[count - 1 - i] / mean;
        sum += (2 * i + 1) * (below + above);
    }
    return -count - sum / count;
}

static void gaps_are_exponential(void) {
    static double gaps[GAPS];
    int beyond5 = 0, beyond1 = 0;
    for (int run = 0; run < RUNS; run++) {
        char options[64];
        snprintf(options, sizeof options, "512K;seed=%d", run);
        begin(options);
        CHECK(gp_sampling_mean == 512 << 10);
        gp_sampling_takes(1);
        for (int i = 0; i < GAPS; i++) {
            const int64_t gap = gp_sampling_here.left;
            CHECK(gap > 0);
            // Up to the byte before the point none is taken.
            if (gap > 1)
                CHECK(!gp_sampling_takes((size_t)gap - 1));
            CHECK(gp_sampling_takes(1));
            CHECK(gp_sampling_is_last());
            gaps[i] = (double)gap - 0.5;
        }
        const double statistic = anderson_darling(gaps, GAPS, (double)gp_sampling_mean);
        beyond5 += statistic > 2.492;
        beyond1 += statistic > 3.857;
    }
    // 400 runs: 20 ± 4.4 beyond the 5 % point, 4 ± 2 beyond that of 1 %.
    CHECK(beyond5 >= 7 && beyond5 <= 34);
    CHECK(beyond1 <= 11);
}

static void weights_are_those_of_libm(void) {
    static const uint64_t means[] = {2, 4096, 512 << 10, 1ull << 40};
    for (size_t m = 0; m < sizeof means / sizeof *means; m++)
        for (double size = 1; size < 1e12; size *= 1.37) {
            const uint64_t bytes = (uint64_t)size;
            gp_sampling_mean = means[m];
            const double expected = (double)bytes / -expm1(-(double)bytes / (double)means[m]);
            const double weight = (double)gp_sampling_weight(bytes);
            CHECK(fabs(weight - expected) <= 1 + expected * 1e-12);
        }
}

static void options_are_read(void) {
    static const struct {
        const char *text;
        uint64_t mean;
    } cases[] = {{"1", 0},
                 {"0", 0},
                 {"", 0},
                 {"nonsense", 0},
                 {"2", 2},
                 {"512k", 512 << 10},
                 {"4M", 4 << 20},
                 {"99999999999999999999", GP_SAMPLING_MOST},
                 {"9999999G", GP_SAMPLING_MOST}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(cases[i].text);
        CHECK(gp_sampling_mean == cases[i].mean);
    }
    begin(NULL);
    CHECK(gp_sampling_mean == 0);
}

// Sizes of a program: many small blocks, some of about the mean, few far above it.
static size_t size_of(int i) {
    if (i % 997 == 0)
        return 3 << 20;
    if (i % 101 == 0)
        return 300000;
    if (i % 17 == 0)
        return 4096;
    return 16 + (size_t)(i * 7919 % 240);
}

// "bytes count", then each sampled size; a line for each run.
static void print_runs(int runs, int blocks) {
    for (int run = 0; run < runs; run++) {
        char options[64];
        uint64_t bytes = 0;
        snprintf(options, sizeof options, "64K;seed=%d", run);
        begin(options);
        for (int i = 0; i < blocks; i++)
            bytes += size_of(i);
        printf("%" PRIu64 " %d", bytes, blocks);
        for (int i = 0; i < blocks; i++)
            if (gp_sampling_takes(size_of(i)))
                printf(" %zu", size_of(i));
        puts("");
    }
}

static void *first_gap(void *unused) {
    gp_sampling_takes(0);
    (void)unused;
    return (void *)(uintptr_t)gp_sampling_here.left;
}

static void threads_have_gaps_of_their_own(void) {
    void *gaps[8];
    begin("1M;seed=1");
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, first_gap, NULL) == 0 && pthread_join(thread, &gaps[i]) == 0);
        for (int other = 0; other < i; other++)
            CHECK(gaps[other] != gaps[i]);
    }
}

// Of so many samples in one run one in n is chosen; each is a trial of its own, whatever the gap behind it.
static void one_in_n_is_chosen(void) {
    static const uint32_t numbers[] = {1, 2, 3, 10, 100, 1000};
    enum { SAMPLES = 200000 };
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        const double p = 1.0 / numbers[n], mean = SAMPLES * p;
        double chosen = 0, both = 0, gaps = 0, gaps_of_chosen = 0;
        bool before = false;
        begin("4096;seed=11");
        gp_sampling_takes(1);
        for (int i = 0; i < SAMPLES; i++) {
            CHECK(gp_sampling_takes((size_t)gp_sampling_here.left));
            const bool is_chosen = gp_sampling_chooses_one_in(numbers[n]);
            CHECK(gp_sampling_chooses_one_in(numbers[n]) == is_chosen);
            const double gap = (double)gp_sampling_here.left;
            gaps += gap;
            chosen += is_chosen;
            gaps_of_chosen += is_chosen ? gap : 0;
            both += is_chosen && before;
            before = is_chosen;
        }
        // Five standard errors each.
        CHECK(fabs(chosen - mean) <= 5 * sqrt(mean * (1 - p)) + 0.5);
        CHECK(fabs(both - SAMPLES * p * p) <= 5 * sqrt(SAMPLES * p * p) + 1);
        CHECK(fabs(gaps_of_chosen / chosen - gaps / SAMPLES) <= 5 * 4096 / sqrt(chosen) + 0.5);
    }
}

static void a_choice_is_of_its_sample_and_changes_no_gap(void) {
    enum { SAMPLES = 1000 };
    static int64_t gaps[SAMPLES];
    static bool chosen[SAMPLES];
    int equal = 0;
    begin("4096;seed=3");
    gp_sampling_takes(1);
    const gp_sampling_thread first = gp_sampling_here;
    for (int run = 0; run < 3; run++) {
        begin("4096;seed=4");
        gp_sampling_takes(1);
        if (run < 2)
            gp_sampling_here = first;
        for (int i = 0; i < SAMPLES; i++) {
            gp_sampling_takes((size_t)gp_sampling_here.left);
            const bool is_chosen = run > 0 && gp_sampling_chooses_one_in(2);
            CHECK(run != 1 || gaps[i] == gp_sampling_here.left);
            equal += run == 2 && chosen[i] == is_chosen;
            gaps[i] = gp_sampling_here.left;
            chosen[i] = is_chosen;
        }
    }
    // Another seed chooses others: 500 ± 16 are equal.
    CHECK(equal > 400 && equal < 600);
    CHECK(!gp_sampling_chooses_one_in(0));
}

int main(int count, char **words) {
    if (count > 2) {
        print_runs(atoi(words[1]), atoi(words[2]));
        return 0;
    }
    options_are_read();
    gaps_are_exponential();
    weights_are_those_of_libm();
    threads_have_gaps_of_their_own();
    one_in_n_is_chosen();
    a_choice_is_of_its_sample_and_changes_no_gap();
    puts("passed");
    return 0;
}
