// A growing list of numbers in memory of its own.
#ifndef GP_LIST_H
#define GP_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t *items;
    size_t count, capacity;
    bool failed;  // memory was refused: the list is not whole
} gp_list;

void gp_list_add(gp_list *list, uint32_t item);

#endif
