// Numbers and lists of words, and what the sampler makes of them.
#include <string.h>

#include "Check.h"
#include "words.h"
#include "../../../Sources/Recorder/Time/source.h"

static void numbers(void) {
    const char *text = "6.12.4-generic";
    CHECK(gp_number_take(&text) == 6 && *text++ == '.');
    CHECK(gp_number_take(&text) == 12 && *text == '.');
    CHECK(gp_number_at("") == 0 && gp_number_at("-1") == 0 && gp_number_at("007;9") == 7);
    CHECK(gp_number_at("18446744073709551614") == UINT64_MAX - 1);
    CHECK(gp_number_at("18446744073709551616") == UINT64_MAX);
    CHECK(gp_number_at("99999999999999999999999999") == UINT64_MAX);

    char digits[GP_NUMBER_ROOM];
    CHECK(gp_number_write(digits, 0) == 1 && strcmp(digits, "0") == 0);
    CHECK(gp_number_write(digits, 4096) == 4 && strcmp(digits, "4096") == 0);
    CHECK(gp_number_write(digits, UINT64_MAX) == 20 && gp_number_at(digits) == UINT64_MAX);
}

static void words(void) {
    const char *list = "leaks, time,";
    gp_word word, value;
    CHECK(gp_word_next(&list, ", ", &word) && gp_word_is(word, "leaks"));
    CHECK(gp_word_next(&list, ", ", &word) && word.length == 0);
    CHECK(gp_word_next(&list, ", ", &word) && gp_word_is(word, "time"));
    CHECK(!gp_word_is(word, "tim") && !gp_word_is(word, "times"));
    CHECK(!gp_word_next(&list, ", ", &word));
    const char *none = NULL;
    CHECK(!gp_word_next(&none, ", ", &word));

    list = "every=250;requests=;every";
    CHECK(gp_word_next(&list, ";", &word) && gp_word_value(word, "every", &value) && gp_word_is(value, "250"));
    CHECK(!gp_word_value(word, "ever", &value) && !gp_word_value(word, "every=250", &value));
    CHECK(gp_word_next(&list, ";", &word) && gp_word_value(word, "requests", &value) && value.length == 0);
    CHECK(gp_word_next(&list, ";", &word) && !gp_word_value(word, "every", &value));
}

static void sampling(void) {
    const gp_sampler_options usual = gp_sampler_options_parse(NULL);
    CHECK(usual.period_ns == 1000000 && !usual.waits && usual.source == GP_SOURCE_ANY);
    const gp_sampler_options all = gp_sampler_options_parse("wall;source=timer;rate=2000;");
    CHECK(all.period_ns == 500000 && all.waits && all.source == GP_SOURCE_TIMER);
    CHECK(gp_sampler_options_parse("rate=99999999999999999999").period_ns == 100000);
    const gp_sampler_options odd = gp_sampler_options_parse(";;rate=often;walls;source=;source=clock");
    CHECK(odd.period_ns == 1000000 && !odd.waits && odd.source == GP_SOURCE_ANY);
}

int main(void) {
    numbers();
    words();
    sampling();
    puts("passed");
}
