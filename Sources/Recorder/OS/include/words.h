// Numbers and lists of words in text: what /proc says, and what the recorder is asked for. Async-signal-safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GP_NUMBER_ROOM = 21 };  // of the longest number, as text

// A part of a text, which goes on behind it.
typedef struct {
    const char *text;
    size_t length;
} gp_word;

// Takes the first word off a list, up to one of the `dividers`, and that divider with it. Between two dividers is an
// empty word. False: the list is empty or NULL.
static inline bool gp_word_next(const char **list, const char *dividers, gp_word *word) {
    if (!*list || !**list)
        return false;
    *word = (gp_word){*list, strcspn(*list, dividers)};
    *list += word->length + ((*list)[word->length] != 0);
    return true;
}

static inline bool gp_word_is(gp_word word, const char *text) {
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

// What a word of the form NAME=VALUE says; false: it is none, or has another name.
static inline bool gp_word_value(gp_word word, const char *name, gp_word *value) {
    const size_t length = strlen(name);
    if (word.length <= length || memcmp(word.text, name, length) != 0 || word.text[length] != '=')
        return false;
    *value = (gp_word){word.text + length + 1, word.length - length - 1};
    return true;
}

// The number whose decimal digits stand at `*text`, which then stands behind them. 0: there are none; UINT64_MAX: it
// does not fit.
static inline uint64_t gp_number_take(const char **text) {
    uint64_t number = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        if (__builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, (unsigned)(**text - '0'), &number))
            number = UINT64_MAX;
    return number;
}

// The same of a text that is not read further.
static inline uint64_t gp_number_at(const char *text) {
    return gp_number_take(&text);
}

// The number behind `name` at the beginning of a line, and behind blanks. 0: there is none.
static inline uint64_t gp_number_behind(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (gp_word line; gp_word_next(&text, "\n", &line);)
        if (strncmp(line.text, name, length) == 0)
            return gp_number_at(line.text + length + strspn(line.text + length, " \t"));
    return 0;
}

// The number whose hexadecimal digits, with small letters, stand at `*text`, which then stands behind them. 0: there are none.
static inline uint64_t gp_hexadecimal_take(const char **text) {
    uint64_t number = 0;
    for (;; (*text)++) {
        const char digit = **text;
        if (digit >= '0' && digit <= '9')
            number = number << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            number = number << 4 | (uint64_t)(digit - 'a' + 10);
        else
            return number;
    }
}

// Writes a number in hexadecimal digits; behind the last.
static inline char *gp_hexadecimal_write(char *at, uint64_t number) {
    int shift = 60;
    while (shift > 0 && number >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *at++ = "0123456789abcdef"[number >> shift & 15];
    return at;
}

// Writes a number in decimal digits, and a NUL. Returns how many digits.
static inline size_t gp_number_write(char text[GP_NUMBER_ROOM], uint64_t number) {
    char digits[GP_NUMBER_ROOM];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    for (size_t i = 0; i < count; i++)
        text[i] = digits[count - 1 - i];
    text[count] = 0;
    return count;
}
