#include "options.h"

#include <string.h>

enum { USUAL_RATE = 1000, HIGHEST_RATE = 10000 };

static bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static uint64_t period_of(const char *digits) {
    uint64_t rate = 0;
    for (; *digits >= '0' && *digits <= '9' && rate < HIGHEST_RATE; digits++)
        rate = rate * 10 + (uint64_t)(*digits - '0');
    rate = rate > HIGHEST_RATE ? HIGHEST_RATE : rate;
    return 1000000000 / (rate ? rate : USUAL_RATE);
}

gp_sampler_options gp_sampler_options_parse(const char *text) {
    gp_sampler_options options = {.period_ns = 1000000000 / USUAL_RATE};
    while (text && *text) {
        size_t length = strcspn(text, ";");
        if (strncmp(text, "rate=", 5) == 0)
            options.period_ns = period_of(text + 5);
        else if (is_word(text, length, "wall"))
            options.waits = true;
        else if (is_word(text, length, "source=perf"))
            options.source = GP_SOURCE_PERF;
        else if (is_word(text, length, "source=signal"))
            options.source = GP_SOURCE_SIGNAL;
        else if (is_word(text, length, "source=timer"))
            options.source = GP_SOURCE_TIMER;
        text += length + (text[length] == ';');
    }
    return options;
}
