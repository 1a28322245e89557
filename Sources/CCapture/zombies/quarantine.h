// Dead blocks in the order of their deaths, bounded by bytes and by count. The oldest leave first, by rows of graves: each
// thread buries in a row of its own (burial.h).
#ifndef GP_ZOMBIES_QUARANTINE_H
#define GP_ZOMBIES_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "grave.h"
#include "../recorder/live_entry.h"

struct gp_thread;
struct gp_deaths;

extern __attribute__((visibility("hidden"))) gp_grave *gp_graves;

static inline uint32_t gp_grave_number(const gp_grave *grave) {
    return (uint32_t)(grave - gp_graves);
}

// How many bytes of addresses so many graves take.
uint64_t gp_quarantine_space(uint32_t count_limit);

// False: the address space or memory is refused.
bool gp_quarantine_open(uint64_t byte_limit, uint32_t count_limit);

// The grave that an entry of the live table names, NULL: the entry is of a living block.
gp_grave *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address);

// The grave with this number.
gp_grave *gp_quarantine_grave(uint32_t number);

// The first of GP_PINNED_MOST graves behind the others, for objects whose memory is not free yet.
uint32_t gp_quarantine_first_pinned(void);

// Gives the blocks that died first back before their time: a row's, the thread's own when no other is left. False:
// none is. `deaths`: the thread's.
bool gp_quarantine_give_way(struct gp_thread *thread, struct gp_deaths *deaths, void (*give_back)(void *block));

// Looks at all blocks that are kept: reports those that were written to. Nobody may be burying.
void gp_quarantine_inspect(struct gp_thread *thread);

typedef struct {
    uint64_t buried, evicted, evicted_bytes, kept, kept_bytes, passed_by, byte_limit, count_limit;
} gp_quarantine_counts;

gp_quarantine_counts gp_quarantine_count(void);

#endif
