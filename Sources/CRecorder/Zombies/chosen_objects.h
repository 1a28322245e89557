// Which objects get pages of their own when none are asked for: the first ones of each class and of each allocation stack, and
// a sample of the later ones, as often as the cost of pages allows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slow_path.h"
#include "thread.h"

enum { GP_CHOSEN_STACKS = 1 << 20, GP_CHOSEN_ENOUGH = 8 };

// By stack: how many of its blocks were looked at. One for which there was a verdict counts several times.
extern __attribute__((visibility("hidden"))) uint8_t gp_chosen_of_stack[GP_CHOSEN_STACKS];

// Objects are chosen from now on: there are guarded pages.
void gp_chosen_open(void);

extern __attribute__((visibility("hidden"))) bool gp_chosen_is_open;

// Whether gp_chosen_block is to look at a block that this stack of the thread allocated.
static inline bool gp_chosen_is_due(gp_thread *thread, uint32_t stack) {
    const uint8_t *looks = &gp_chosen_of_stack[stack % GP_CHOSEN_STACKS];
    return GP_UNLIKELY(__atomic_load_n(looks, __ATOMIC_RELAXED) < GP_CHOSEN_ENOUGH) ||
           GP_UNLIKELY(--thread->blocks_unchosen < 0);
}

// A guarded block in place of a new one, if that is chosen; `block` was then given to `give_back`. `sp`: as for
// gp_type_being_made. The thread is busy.
GP_SLOW_PATH void *gp_chosen_block(gp_thread *thread, void *block, size_t size, uint32_t stack, uintptr_t sp,
                                   void (*give_back)(void *block));
