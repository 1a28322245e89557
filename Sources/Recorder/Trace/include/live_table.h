// Which blocks are live: a two-level shadow of the address space, one 8-byte entry for each 16-byte granule, mapped on
// demand. No lock: an entry is written by whoever owns the block.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"

enum {
    GP_BLOCK_LOADER = 1u << 0,  // allocated by the dynamic linker: a root
    GP_BLOCK_RECORDER = 1u << 1,  // allocated on behalf of the recorder (thread-specific data too): a root, not traced
    GP_BLOCK_MOVING = 1u << 2,  // inside realloc
};

typedef struct {
    uintptr_t address;
    uint64_t size;  // requested
    uint32_t stack;
    uint32_t flags;  // GP_BLOCK_*
} gp_block;

// Remembers a new block. False when the table has no memory for it (the block is then unknown; counted as a loss).
GP_SLOW_PATH bool gp_live_put(uintptr_t address, uint64_t size, uint32_t stack, uint32_t flags);

// Forgets the block that starts at `address`. False when no known block starts there.
bool gp_live_take(uintptr_t address, gp_block *block);

// The block that starts at `address`.
bool gp_live_get(uintptr_t address, gp_block *block);

// The nearest block that starts at most `reach` bytes before `address`, or there. Cheap where no block ever was; else up
// to half a nanosecond for each 16 bytes of the way.
bool gp_live_get_before(uintptr_t address, size_t reach, gp_block *block);

// Makes blocks look as the allocator's do that are not; NULL: there are none such. For the frozen child, before it searches.
extern __attribute__((visibility("hidden"))) void (*gp_live_disguise)(void);

// The complement of the address of the freed object whose use ends the program; 0: there is none. `revives`: it becomes a live
// block again and looks as it did, for the frozen child, after gp_live_disguise. NULL: freed blocks are not kept.
extern __attribute__((visibility("hidden"))) uintptr_t (*gp_live_used_dead)(bool revives);

// Calls `visit` for every live block in ascending order of address; stops when it returns false. For the frozen child
// (nothing changes there); skips what was never touched.
void gp_live_each(bool (*visit)(const gp_block *block, void *context), void *context);

// Forgets all blocks and gives their memory back.
void gp_live_forget(void);

// Usable size of a block, as malloc_usable_size tells the program.
GP_SLOW_PATH size_t gp_live_usable_size(uintptr_t address);
