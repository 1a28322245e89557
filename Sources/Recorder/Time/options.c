#include "source.h"

#include "words.h"

enum { USUAL_RATE = 1000, HIGHEST_RATE = 10000 };

static uint64_t period_of(uint64_t rate) {
    rate = rate > HIGHEST_RATE ? HIGHEST_RATE : rate;
    return 1000000000 / (rate ? rate : USUAL_RATE);
}

gp_sampler_options gp_sampler_options_parse(const char *text) {
    gp_sampler_options options = {.period_ns = period_of(USUAL_RATE)};
    for (gp_word word, value; gp_word_next(&text, ";", &word);) {
        if (gp_word_value(word, "rate", &value))
            options.period_ns = period_of(gp_number_at(value.text));
        else if (gp_word_is(word, "wall"))
            options.waits = true;
        else if (gp_word_is(word, "source=perf"))
            options.source = GP_SOURCE_PERF;
        else if (gp_word_is(word, "source=signal"))
            options.source = GP_SOURCE_SIGNAL;
        else if (gp_word_is(word, "source=timer"))
            options.source = GP_SOURCE_TIMER;
    }
    return options;
}
