// Dead blocks in the order of their deaths, bounded by bytes and by count. The oldest leave first. No lock.
#ifndef GP_ZOMBIES_QUARANTINE_H
#define GP_ZOMBIES_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "grave.h"
#include "../recorder/live_entry.h"

struct gp_thread;

// False: the address space or memory is refused.
bool gp_quarantine_open(uint64_t byte_limit, uint32_t count_limit);

// A grave for a block of this size; the oldest leave for it. NULL: the quarantine does not take blocks of this size.
// The caller fills all but `state` and then closes it; no block must be given a grave by the same thread in between.
gp_grave *gp_quarantine_begin(struct gp_thread *thread, uint64_t size, void (*give_back)(void *block));

// Poisons the block of a grave and keeps it. `place`: its entry of the live table.
void gp_quarantine_close(gp_grave *grave, gp_live_entry *place);

// The grave that an entry of the live table names, NULL: the entry is of a living block.
gp_grave *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address);

// The grave with this number.
gp_grave *gp_quarantine_grave(uint32_t number);

// The first of GP_PINNED_MOST graves behind the others, for objects whose memory is not free yet.
uint32_t gp_quarantine_first_pinned(void);

// Looks at all blocks that are kept: reports those that were written to.
void gp_quarantine_inspect(struct gp_thread *thread);

typedef struct {
    uint64_t buried, evicted, evicted_bytes, kept, kept_bytes, passed_by, byte_limit, count_limit;
} gp_quarantine_counts;

gp_quarantine_counts gp_quarantine_count(void);

#endif
