// A choice of types by their names, and who belongs to it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GP_CHOICE_NAMES = 1024, GP_CHOICE_VERDICTS = 4096 };

typedef struct {
    char names[GP_CHOICE_NAMES];  // "Board|Other.Card", empty: none
    uint8_t verdicts[GP_CHOICE_VERDICTS];  // by type id. 0: not asked yet, 1: no, 2: yes
} gp_type_choice;

// Takes `length` bytes as the names; what is too long is cut.
void gp_choose_types(gp_type_choice *choice, const char *names, size_t length);

// Whether the type (of a GP_TYPE record, not 0) is one of the choice: a generic class with any arguments.
bool gp_type_is_chosen(gp_type_choice *choice, uint32_t type);
