// A growing list of numbers in memory of its own.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t *items;
    size_t count, capacity;
    bool failed;  // memory was refused: the list is not whole
} gp_number_list;

void gp_number_list_add(gp_number_list *list, uint32_t item);
