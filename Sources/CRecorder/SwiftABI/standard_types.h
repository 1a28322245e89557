// The types of the standard library that mangled names abbreviate.
#pragma once

#include <stddef.h>

typedef struct {
    char letter;
    char kind;  // 'V' structure, 'O' enum, 'C' class, 'P' protocol
    const char *name;
} gp_standard_type;

// `S` and the letter.
const gp_standard_type *gp_standard_type_of(char letter);

// `Sc` and the letter: the concurrency library.
const gp_standard_type *gp_concurrency_type_of(char letter);
