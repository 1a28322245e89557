#include "block_sampling.h"

#include <stdatomic.h>

#include "read_clock.h"
#include "words.h"

__thread gp_sampling_thread gp_sampling_here;
uint64_t gp_sampling_mean;
bool gp_sampling_knows_all;
static uint64_t seed;
static _Atomic uint64_t threads;

static const double LN_2 = 0.6931471805599453;

// SplitMix64 (Steele, Lea, Flood).
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// ln x of 0 < x ≤ 1, not subnormal: x = m · 2^e with m in [√½, √2), ln m = 2 artanh((m − 1)/(m + 1)). libm is no part of
// libc.
static double natural_log(double x) {
    union {
        double number;
        uint64_t bits;
    } parts = {x};
    int exponent = (int)(parts.bits >> 52) - 1022;
    parts.bits = (parts.bits & ((1ull << 52) - 1)) | 1022ull << 52;
    double m = parts.number;
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    const double s = (m - 1) / (m + 1), square = s * s;
    double sum = 0;
    for (int i = 17; i >= 1; i -= 2)
        sum = sum * square + 1.0 / i;
    return exponent * LN_2 + 2 * s * sum;
}

// 1 − e^(−x) of x > 0: x = k ln 2 + r with |r| ≤ ½ ln 2, and the series of e^(−r) − 1, so that a small x loses no digits.
static double one_minus_exp(double x) {
    if (x > 40)
        return 1;
    const int k = (int)(x / LN_2 + 0.5);
    const double r = x - k * LN_2;
    double sum = 0;
    for (int i = 16; i >= 1; i--)
        sum = (sum + 1) * -r / i;
    return k == 0 ? -sum : 1 - (1 + sum) / (double)(1ull << k);
}

// Exponential with mean R, rounded up: for whole bytes P(gap ≤ S) stays 1 − e^(−S/R).
static int64_t next_gap(uint64_t *state) {
    const double uniform = (double)((next_random(state) >> 11) + 1) * 0x1p-53;
    return (int64_t)(-natural_log(uniform) * (double)gp_sampling_mean) + 1;
}

bool gp_sampling_passed(size_t size) {
    gp_sampling_thread *here = &gp_sampling_here;
    if (!here->random) {
        uint64_t mixed = seed + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed);
        here->random = next_random(&mixed) | 1;
        here->left = (int64_t)((uint64_t)next_gap(&here->random) - size);
        if (here->left > 0)
            return false;
    }
    here->left = here->at_sample = next_gap(&here->random);
    return true;
}

bool gp_sampling_chooses_one_in(uint32_t n) {
    // Another sequence than that of the gaps, which would be shorter or longer by what is chosen.
    uint64_t apart = gp_sampling_here.random ^ 0x6a09e667f3bcc908ull;
    return n > 0 && next_random(&apart) % n == 0;
}

double gp_sampling_chance(size_t size) {
    return one_minus_exp((double)size / (double)gp_sampling_mean);
}

uint64_t gp_sampling_weight(size_t size) {
    return (uint64_t)((double)size / gp_sampling_chance(size) + 0.5);
}

static uint64_t bytes_of(gp_word word) {
    const char *text = word.text;
    uint64_t number = gp_number_take(&text);
    const char unit = text < word.text + word.length ? (char)(*text & ~0x20) : 0;
    const int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
    return number > GP_SAMPLING_MOST >> shift ? GP_SAMPLING_MOST : number << shift;
}

void gp_sampling_start(const char *options, bool knows_all) {
    uint64_t mean = 0, asked = 0;
    for (gp_word word, value; gp_word_next(&options, ";", &word);) {
        if (gp_word_value(word, "seed", &value))
            asked = gp_number_at(value.text) + 1;
        else
            mean = bytes_of(word);
    }
    seed = asked ? asked : gp_monotonic_of_kernel() ^ (uint64_t)(uintptr_t)&mean << 20;
    gp_sampling_knows_all = knows_all;
    gp_sampling_mean = mean > 1 ? mean : 0;
}
