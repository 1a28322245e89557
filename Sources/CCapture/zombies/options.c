#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

enum { DEFAULT_BYTES = 32 << 20, DEFAULT_COUNT = 1 << 16 };

gp_zombie_options gp_zombie_asked = {.quarantine_bytes = DEFAULT_BYTES, .quarantine_count = DEFAULT_COUNT};

static const char *value_of(const char *word, size_t length, const char *name) {
    size_t own = strlen(name);
    return length > own && memcmp(word, name, own) == 0 && word[own] == '=' ? word + own + 1 : NULL;
}

static uint64_t number(const char *digits) {
    uint64_t value = 0;
    while (*digits >= '0' && *digits <= '9' && value < UINT64_MAX / 16)
        value = value * 10 + (uint64_t)(*digits++ - '0');
    return value;
}

static void take(const char *word, size_t length) {
    gp_zombie_options *asked = &gp_zombie_asked;
    const char *end = word + length, *value;
    if ((value = value_of(word, length, "quarantine-bytes")))
        asked->quarantine_bytes = number(value);
    else if ((value = value_of(word, length, "quarantine-count")))
        asked->quarantine_count = number(value) < GP_GRAVES_MOST ? (uint32_t)number(value) : GP_GRAVES_MOST;
    else if ((value = value_of(word, length, "sample")))
        asked->sample = number(value) < UINT32_MAX ? (uint32_t)number(value) : UINT32_MAX;
    else if ((value = value_of(word, length, "guard")))
        gp_choose_types(&asked->guarded_types, value, (size_t)(end - value));
    else if (length == 5 && memcmp(word, "guard", 5) == 0)
        asked->guard_all = true;
    else if (length == 10 && memcmp(word, "keep-going", 10) == 0)
        asked->keep_going = true;
}

void gp_zombie_options_read(const char *list) {
    for (const char *word = list; word && *word;) {
        size_t length = strcspn(word, ";");
        take(word, length);
        word += length + (word[length] == ';');
    }
    if (gp_zombie_asked.quarantine_count == 0)
        gp_zombie_asked.quarantine_count = 1;
}
