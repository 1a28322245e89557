#include "root_paths.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 1024 };

// Greedy with one point to fall back to: linear for one star, never exponential.
static bool glob(const char *pattern, size_t pattern_length, const char *text, size_t length) {
    size_t p = 0, t = 0, star = SIZE_MAX, star_text = 0;
    while (t < length) {
        if (p < pattern_length && pattern[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern_length && (pattern[p] == '?' || pattern[p] == text[t])) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern_length && pattern[p] == '*')
        p++;
    return p == pattern_length;
}

static bool is_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

// The name without the module in front of each of the types it speaks of. Returns its length.
static size_t without_modules(const char *name, char *result) {
    size_t length = 0, word = 0;
    bool may_be_module = true;
    for (; *name && length < NAME_MAX_LENGTH; name++) {
        if (*name == '.' && may_be_module && length > word) {
            length = word;
            may_be_module = false;
            continue;
        }
        result[length++] = *name;
        if (is_identifier(*name))
            continue;
        word = length;
        may_be_module = *name != '.';
    }
    return length;
}

// Compares with the whole name and with what stands behind each dot outside of brackets.
static bool matches_an_end(const char *pattern, size_t pattern_length, const char *name, size_t length) {
    bool has_arguments = memchr(pattern, '<', pattern_length) != NULL;
    const char *bracket = memchr(name, '<', length);
    size_t head = bracket ? (size_t)(bracket - name) : length, end = has_arguments ? length : head;
    if (glob(pattern, pattern_length, name, length))
        return true;
    for (size_t start = 0; start < head; start++)
        if ((start == 0 || name[start - 1] == '.') && glob(pattern, pattern_length, name + start, end - start))
            return true;
    return false;
}

bool gp_type_pattern_matches(const char *pattern, size_t length, const char *name) {
    char plain[NAME_MAX_LENGTH];
    return length > 0 && (matches_an_end(pattern, length, name, strlen(name)) ||
                          matches_an_end(pattern, length, plain, without_modules(name, plain)));
}
