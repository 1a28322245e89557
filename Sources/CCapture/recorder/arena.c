#include "arena.h"

#include <stdatomic.h>
#include <stdint.h>

#include "system.h"

enum { GP_ARENA_BLOCK = 1 << 20, GP_ARENA_LARGE = 1 << 18 };

typedef struct {
    _Atomic size_t used;
} gp_arena_block;

static _Atomic(gp_arena_block *) current;

static gp_arena_block *make_block(void) {
    gp_arena_block *block = gp_system_pages(GP_ARENA_BLOCK);
    if (block)
        atomic_store_explicit(&block->used, 16, memory_order_relaxed);
    return block;
}

void *gp_arena_allocate(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size >= GP_ARENA_LARGE)
        return gp_system_pages((size + 4095) & ~(size_t)4095);
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
        if (!atomic_compare_exchange_strong(&current, &block, fresh))
            gp_system(munmap, fresh, GP_ARENA_BLOCK);
    }
}
