#include "stale_filters.h"

#include <string.h>

#include "TraceFormat.h"
#include "block_index.h"
#include "live_table.h"
#include "swift_types.h"

enum { TABLES_MAX = 4096, HEADER = 8, ELEMENT_MAX = 64 };

typedef struct {
    uintptr_t block, end;
} table;

static table tables[TABLES_MAX];  // ascending
static size_t table_count;

static size_t first_not_below(uintptr_t block) {
    size_t low = 0, high = table_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tables[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(uintptr_t block, uintptr_t end) {
    size_t place = first_not_below(block);
    if (table_count == TABLES_MAX || (place < table_count && tables[place].block == block))
        return;
    memmove(&tables[place + 1], &tables[place], (table_count - place) * sizeof *tables);
    tables[place] = (table){block, end};
    table_count++;
}

// A table's memory is a capacity and the elements: exactly as many bytes were asked for. 0: it is none.
static size_t element_size(uintptr_t block, uintptr_t end) {
    uint32_t capacity = *(const uint32_t *)block;
    size_t room = end - block - HEADER;
    if (capacity == 0 || end - block <= HEADER || room % ((size_t)capacity * 8) != 0)
        return 0;
    size_t size = room / capacity;
    return size <= ELEMENT_MAX ? size : 0;
}

// Of a conformance that a type lacks the last of three words is zero.
static bool are_filled(uintptr_t elements, uint32_t count, size_t size) {
    for (uint32_t i = 0; i < count; i++)
        if (*(const uintptr_t *)(elements + i * size) == 0)
            return false;
    return true;
}

// The map's indices stand behind its elements: numbers in 4, 8, 16 or 32 bits, of which as many are used as there are
// elements. Few lie in the word itself; of more it names the memory, and its low bits say how wide they are. The first
// place holds that, or the logarithm of how many there are.
static bool has_indices(const gp_block_index *index, uintptr_t word, uint32_t count) {
    enum { MODE = 3, INDEX_BITS = 4, WORD_BITS = 64, LARGEST = 30 };
    uint32_t used = 0, mode = word & MODE;
    uintptr_t block = word - mode;
    if (mode == 0) {
        for (uint32_t shift = INDEX_BITS; shift < WORD_BITS; shift += INDEX_BITS)
            used += (word >> shift & 15) != 0;
        return used == count;
    }
    size_t width = (size_t)1 << (mode - 1);
    if (gp_index_exact(index, block) == GP_NO_BLOCK || *(const uint8_t *)block > LARGEST)
        return false;
    uint32_t places = 1u << *(const uint8_t *)block;
    if (places * width > gp_block_usable(block))
        return false;
    for (uint32_t i = 1; i < places; i++) {
        uint32_t place = 0;
        memcpy(&place, (const uint8_t *)block + i * width, width);
        used += place != 0;
    }
    return used == count;
}

// The map: readers (u32), elements that it holds (u32), their memory, the indices.
static void look_at(const gp_block_index *index, uintptr_t elements) {
    uintptr_t block = *(const uintptr_t *)elements;
    uint32_t readers = ((const uint32_t *)elements)[-2], count = ((const uint32_t *)elements)[-1];
    uint32_t number = count && readers < 4096 ? gp_index_exact(index, block) : GP_NO_BLOCK;
    if (number == GP_NO_BLOCK)
        return;
    size_t usable = gp_block_usable(block);
    gp_block known;
    if (gp_type_kind(*(const uintptr_t *)block, usable) >= 0 || !gp_live_get(block, &known))
        return;
    uintptr_t end = block + (known.size < usable ? known.size : usable);
    size_t size = element_size(block, end);
    uintptr_t filled = block + HEADER + count * size;
    if (size && filled <= end && are_filled(block + HEADER, count, size) &&
        has_indices(index, ((const uintptr_t *)elements)[1], count))
        add(block, filled);
}

void gp_runtime_tables_note(const gp_root_words *words, void *index) {
    if (words->kind != GP_ROOT_GLOBAL || words->next_chunks)
        return;
    const gp_block_index *blocks = index;
    for (uintptr_t at = ((words->start + 7) & ~(uintptr_t)7) + 8; at + 16 <= words->end; at += 8) {
        uintptr_t word = *(const uintptr_t *)at;
        if (word - blocks->low < blocks->high - blocks->low)
            look_at(blocks, at);
    }
}

void gp_runtime_tables_each(gp_range_visitor *visit, void *context) {
    for (size_t i = 0; i < table_count; i++)
        visit(tables[i].block, tables[i].end, context);
}
