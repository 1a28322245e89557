#include "arena.h"

#include <stdatomic.h>

#include "arch.h"
#include "system.h"

enum { GP_ARENA_BLOCK = 1 << 20, GP_ARENA_LARGE = 1 << 18 };

// What was mapped, kept in a list that only grows.
typedef struct gp_arena_part {
    uintptr_t start, end;
    struct gp_arena_part *next;
} gp_arena_part;

typedef struct {
    gp_arena_part part;
    _Atomic size_t used;
} gp_arena_block;

static _Atomic(gp_arena_block *) current;
static _Atomic(gp_arena_part *) parts;

static void list(gp_arena_part *part, void *start, size_t size) {
    part->start = (uintptr_t)start;
    part->end = part->start + size;
    part->next = atomic_load(&parts);
    while (!atomic_compare_exchange_weak(&parts, &part->next, part)) {
    }
}

static gp_arena_block *make_block(void) {
    gp_arena_block *block = gp_system_pages(GP_ARENA_BLOCK);
    if (block)
        atomic_store_explicit(&block->used, (sizeof *block + 15) & ~15ul, memory_order_relaxed);
    return block;
}

static void *allocate_large(size_t size) {
    gp_arena_part *part = gp_arena_allocate(sizeof *part);
    void *pages = part ? gp_system_pages(size) : NULL;
    if (pages)
        list(part, pages, size);
    return pages;
}

void *gp_arena_allocate(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size >= GP_ARENA_LARGE)
        return allocate_large(gp_page_end(size));
    for (;;) {
        gp_arena_block *block = atomic_load(&current);
        if (block) {
            size_t offset = atomic_fetch_add(&block->used, size);
            if (offset + size <= GP_ARENA_BLOCK)
                return (uint8_t *)block + offset;
        }
        gp_arena_block *fresh = make_block();
        if (!fresh)
            return NULL;
        if (atomic_compare_exchange_strong(&current, &block, fresh))
            list(&fresh->part, fresh, GP_ARENA_BLOCK);
        else
            gp_system(munmap, fresh, GP_ARENA_BLOCK);
    }
}

void gp_arena_adopt(void *start, size_t size) {
    gp_arena_part *part = gp_arena_allocate(sizeof *part);
    if (part)
        list(part, start, size);
}

void gp_arena_find(uintptr_t from, uintptr_t end, uintptr_t *part_start, uintptr_t *part_end) {
    *part_start = *part_end = end;
    for (const gp_arena_part *part = atomic_load(&parts); part; part = part->next)
        if (part->start < *part_start && part->end > from) {
            *part_start = part->start;
            *part_end = part->end;
        }
}
