// Text put together in a buffer of fixed size, always NUL-terminated; what does not fit is left out.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    char *buffer;
    size_t capacity;  // at least 1
    size_t length;
} gp_text;

static inline gp_text gp_text_in(char *buffer, size_t capacity) {
    buffer[0] = '\0';
    return (gp_text){buffer, capacity, 0};
}

static inline void gp_text_append_bytes(gp_text *text, const char *bytes, size_t count) {
    for (size_t i = 0; i < count && text->length + 1 < text->capacity; i++)
        text->buffer[text->length++] = bytes[i];
    text->buffer[text->length] = '\0';
}

static inline void gp_text_append(gp_text *text, const char *more) {
    while (*more != '\0' && text->length + 1 < text->capacity)
        text->buffer[text->length++] = *more++;
    text->buffer[text->length] = '\0';
}

// The same of identifiers. The compiler writes the spaces of raw ones (`Board v1.2`) as no-break spaces, which are none of a
// source's.
static inline void gp_text_append_name(gp_text *text, const char *name, size_t count) {
    static const char no_break_space[] = "\xc2\xa0";
    for (size_t i = 0; i < count; i++) {
        bool is_space = count - i > 1 && memcmp(name + i, no_break_space, 2) == 0;
        gp_text_append_bytes(text, is_space ? " " : name + i, 1);
        i += is_space;
    }
}

static inline void gp_text_append_number(gp_text *text, long long number) {
    char digits[24];
    unsigned count = 0;
    unsigned long long rest = number < 0 ? 0ull - (unsigned long long)number : (unsigned long long)number;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0)
        gp_text_append(text, "-");
    while (count > 0)
        gp_text_append_bytes(text, &digits[--count], 1);
}
