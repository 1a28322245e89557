// Dead blocks in the order of their deaths, bounded by bytes and by count. The oldest leave first, by batches of slots: each
// thread quarantines in a batch of its own (quarantine_insert.h).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "quarantine_slot.h"
#include "live_entry.h"

struct gp_thread;
struct gp_quarantine_cache;

extern __attribute__((visibility("hidden"))) gp_quarantine_slot *gp_slots;

static inline uint32_t gp_slot_number(const gp_quarantine_slot *slot) {
    return (uint32_t)(slot - gp_slots);
}

// How many bytes of addresses so many slots take.
uint64_t gp_quarantine_space(uint32_t count_limit);

// False: the address space or memory is refused.
bool gp_quarantine_open(uint64_t byte_limit, uint32_t count_limit);

// The slot that an entry of the live table names, NULL: the entry is of a living block.
gp_quarantine_slot *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address);

// The slot with this number.
gp_quarantine_slot *gp_quarantine_slot_at(uint32_t number);

// The first of GP_UNOWNED_KEPT_MOST slots behind the others, for objects whose memory is not free yet.
uint32_t gp_quarantine_first_unowned_kept(void);

// The first of GP_REVEALED_MOST slots behind those, for blocks whose own pages were filled.
uint32_t gp_quarantine_first_revealed(void);

// Gives the blocks that died first back before their time: a batch's, the thread's own when no other is left. False:
// none is. `cache`: the thread's.
bool gp_quarantine_give_way(struct gp_thread *thread, struct gp_quarantine_cache *cache,
                            void (*give_back)(void *block));

// Looks at all blocks that are kept: reports those that were written to. Nobody may be quarantining.
void gp_quarantine_inspect(struct gp_thread *thread);

typedef struct {
    uint64_t quarantined, evicted, evicted_bytes, kept, kept_bytes, passed_by, byte_limit, count_limit;
} gp_quarantine_counts;

gp_quarantine_counts gp_quarantine_count(void);
