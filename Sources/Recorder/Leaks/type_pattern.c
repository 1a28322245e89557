#include "root_paths.h"

#include <string.h>

#include "identifier.h"

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
        if (*name == '`') {
            for (const char *end = gp_raw_identifier_end(name); name < end && length < NAME_MAX_LENGTH;)
                result[length++] = *name++;
            name--;
            continue;
        }
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

// The name without the arguments of generic types. Returns its length.
static size_t without_arguments(const char *name, char *result) {
    size_t length = 0;
    int depth = 0;
    for (const char *at = name; *at && length < NAME_MAX_LENGTH; at++) {
        const char *end = *at == '`' ? gp_raw_identifier_end(at) : at + 1;
        const int bracket = *at == '(' || *at == ')' ? 0 : gp_bracket(name, at);
        depth += bracket;
        for (; at < end && length < NAME_MAX_LENGTH; at++)
            if (depth == 0 && bracket == 0)
                result[length++] = *at;
        at--;
    }
    return length;
}

// Compares with the name and with what stands behind each dot outside of brackets.
static bool matches_an_end(const char *pattern, size_t pattern_length, const char *name, size_t length) {
    const char *end = name + length;
    int depth = 0;
    for (const char *at = name; at < end; at++) {
        if ((at == name || (at[-1] == '.' && depth == 0)) && glob(pattern, pattern_length, at, (size_t)(end - at)))
            return true;
        if (*at == '`')
            at = gp_raw_identifier_end(at) - 1;
        depth += gp_bracket(name, at);
    }
    return false;
}

bool gp_type_pattern_matches(const char *pattern, size_t length, const char *name) {
    char reduced[NAME_MAX_LENGTH + 1];
    if (length == 0)
        return false;
    if (matches_an_end(pattern, length, name, strlen(name)))
        return true;
    reduced[without_modules(name, reduced)] = 0;
    if (matches_an_end(pattern, length, reduced, strlen(reduced)))
        return true;
    reduced[without_arguments(name, reduced)] = 0;
    return matches_an_end(pattern, length, reduced, strlen(reduced));
}
