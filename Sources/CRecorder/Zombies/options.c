#include "options.h"

#include "words.h"
#include "layout.h"

enum { DEFAULT_BYTES = 32 << 20, DEFAULT_COUNT = 1 << 16 };

gp_zombie_options gp_zombie_asked = {.quarantine_bytes = DEFAULT_BYTES, .quarantine_count = DEFAULT_COUNT};

static uint32_t at_most(uint64_t number, uint32_t limit) {
    return number < limit ? (uint32_t)number : limit;
}

static void take(gp_word word) {
    gp_zombie_options *asked = &gp_zombie_asked;
    gp_word value;
    if (gp_word_value(word, "quarantine-bytes", &value))
        asked->quarantine_bytes = gp_number_at(value.text);
    else if (gp_word_value(word, "quarantine-count", &value))
        asked->quarantine_count = at_most(gp_number_at(value.text), GP_SLOTS_MOST);
    else if (gp_word_value(word, "sample", &value))
        asked->sample = at_most(gp_number_at(value.text), UINT32_MAX);
    else if (gp_word_value(word, "guard", &value))
        gp_choose_types(&asked->guarded_types, value.text, value.length);
    else if (gp_word_is(word, "guard"))
        asked->guard_all = true;
    else if (gp_word_is(word, "no-guard"))
        asked->no_guard = true;
    else if (gp_word_is(word, "keep-going"))
        asked->keep_going = true;
}

void gp_zombie_options_read(const char *list) {
    for (gp_word word; gp_word_next(&list, ";", &word);)
        take(word);
    if (gp_zombie_asked.quarantine_count == 0)
        gp_zombie_asked.quarantine_count = 1;
}
