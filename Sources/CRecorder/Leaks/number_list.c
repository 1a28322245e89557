#include "number_list.h"

#include "system.h"

enum { FIRST_CAPACITY = 1 << 16 };

static bool grow(gp_number_list *list) {
    size_t capacity = list->capacity ? list->capacity * 2 : FIRST_CAPACITY;
    size_t size = list->capacity * sizeof *list->items;
    long moved = list->items ? gp_system(mremap, list->items, size, size * 2, MREMAP_MAYMOVE)
                             : (long)gp_system_pages(capacity * sizeof *list->items);
    if (moved == 0 || (moved < 0 && moved > -4096))
        return false;
    list->items = (uint32_t *)moved;
    list->capacity = capacity;
    return true;
}

void gp_number_list_add(gp_number_list *list, uint32_t item) {
    if (list->count == list->capacity && (list->failed || !grow(list))) {
        list->failed = true;
        return;
    }
    list->items[list->count++] = item;
}
