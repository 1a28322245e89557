// Reading the names of types that gp_type_name_of writes, character by character.
#pragma once

#include <stdbool.h>
#include <string.h>

// Behind the raw identifier that begins at `name` with a backtick, whatever it holds; one without an end was cut.
static inline const char *gp_raw_identifier_end(const char *name) {
    const char *end = strchr(name + 1, '`');
    return end ? end + 1 : name + strlen(name);
}

// How the character at `at` of `name` changes the number of brackets that are open there: 1, 0 or −1.
static inline int gp_bracket(const char *name, const char *at) {
    const bool is_arrow = *at == '>' && at > name && at[-1] == '-';
    return *at == '<' || *at == '(' ? 1 : *at == ')' || (*at == '>' && !is_arrow) ? -1 : 0;
}
