#include "quarantine.h"

#include "quarantine_insert.h"
#include "layout.h"
#include "batches.h"
#include "system.h"
#include "thread.h"

uintptr_t gp_slots_base, gp_slots_size;
gp_quarantine_slot *gp_slots;
static uint32_t slot_count;
static uint64_t byte_limit;

enum { SLOTS_BEHIND = GP_UNOWNED_KEPT_MOST + GP_REVEALED_MOST };
enum { LARGEST_SHARE = 8, ROW_SHARE = 1024 };

uint64_t gp_quarantine_space(uint32_t count) {
    return ((uint64_t)count + SLOTS_BEHIND) << GP_SLOT_BITS;
}

bool gp_quarantine_open(uint64_t bytes, uint32_t count) {
    uint64_t all = (uint64_t)count + SLOTS_BEHIND, space = gp_quarantine_space(count);
    long address =
        gp_system(mmap, 0, space + (1 << GP_SLOT_BITS), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address < 0 && address > -4096)
        return false;
    gp_slots = gp_system_pages(all * sizeof(gp_quarantine_slot));
    if (!gp_slots || !gp_batches_open(count, bytes)) {
        gp_system(munmap, address, space + (1 << GP_SLOT_BITS));
        return false;
    }
    gp_slots_base = ((uintptr_t)address + (1 << GP_SLOT_BITS) - 1) & ~(uintptr_t)((1 << GP_SLOT_BITS) - 1);
    gp_slots_size = space;
    slot_count = count;
    byte_limit = bytes;
    return true;
}

static void empty(struct gp_thread *thread, gp_quarantine_cache *cache, gp_quarantine_slot *from,
                  gp_quarantine_slot *end, void (*give_back)(void *block)) {
    for (gp_quarantine_slot *slot = from; slot < end; slot++)
        if (gp_slot_is_held(slot))
            (void)gp_slot_empty(thread, cache, slot, give_back);
}

// How many bytes a batch's blocks have together, unless one alone has more.
static int64_t batch_room(void) {
    return (int64_t)(byte_limit / ROW_SHARE);
}

// The thread's batch waits. What its last slots still hold is older than all else.
static void leave_batch(struct gp_thread *thread, gp_quarantine_cache *cache, void (*give_back)(void *block)) {
    if (!cache->end)
        return;
    empty(thread, cache, cache->next, cache->end, give_back);
    gp_batch_wait(gp_slot_number(cache->end) / gp_batch_length() - 1, (uint64_t)(batch_room() - cache->room));
    cache->next = cache->end = NULL;
}

// A batch to fill. Of one that is used again, what has more bytes than usual leaves at once: the thread may rest before it
// has used all slots.
static bool open_batch(struct gp_thread *thread, gp_quarantine_cache *cache, void (*give_back)(void *block)) {
    uint32_t batch, length = gp_batch_length();
    uint64_t bytes;
    while (gp_batch_take_excess(&batch)) {
        empty(thread, cache, gp_slots + batch * length, gp_slots + (batch + 1) * length, give_back);
        gp_batch_put_empty(batch);
    }
    if (!gp_batch_take(&batch, &bytes))
        return false;
    cache->next = gp_slots + batch * length;
    cache->end = cache->next + length;
    cache->room = batch_room();
    if (bytes > 2 * (uint64_t)batch_room())
        empty(thread, cache, cache->next, cache->end, give_back);
    return true;
}

gp_quarantine_slot *gp_slot_of_next_batch(struct gp_thread *thread, gp_quarantine_cache *cache, uint64_t size,
                                          void (*give_back)(void *block)) {
    cache->room += (int64_t)size;
    bool fits = size <= byte_limit / LARGEST_SHARE;
    // A batch that has room takes one block more than that.
    bool stays = cache->room > 0 && cache->next != cache->end;
    if (fits && !stays) {
        leave_batch(thread, cache, give_back);
        fits = open_batch(thread, cache, give_back);
    }
    if (!fits) {
        cache->passed_by++;
        return NULL;
    }
    cache->room -= (int64_t)size;
    return cache->next;
}

bool gp_quarantine_give_way(struct gp_thread *thread, gp_quarantine_cache *cache, void (*give_back)(void *block)) {
    uint32_t batch, length = gp_batch_length();
    if (!gp_batch_take_oldest(&batch)) {
        leave_batch(thread, cache, give_back);
        if (!gp_batch_take_oldest(&batch))
            return false;
    }
    empty(thread, cache, gp_slots + batch * length, gp_slots + (batch + 1) * length, give_back);
    gp_batch_put_empty(batch);
    return true;
}

gp_quarantine_slot *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address) {
    uint64_t number = entry >> 4;
    if ((entry & 15) != 0 || number == 0 || number > slot_count)
        return NULL;
    gp_quarantine_slot *slot = &gp_slots[number - 1];
    return slot->address == address ? slot : NULL;
}

gp_quarantine_slot *gp_quarantine_slot_at(uint32_t number) {
    return number < slot_count + SLOTS_BEHIND ? &gp_slots[number] : NULL;
}

uint32_t gp_quarantine_first_unowned_kept(void) {
    return slot_count;
}

uint32_t gp_quarantine_first_revealed(void) {
    return slot_count + GP_UNOWNED_KEPT_MOST;
}

gp_quarantine_counts gp_quarantine_count(void) {
    gp_quarantine_counts counts = {.byte_limit = byte_limit, .count_limit = slot_count};
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next) {
        const gp_quarantine_cache *cache = *gp_thread_slot(thread, GP_INSTRUMENT_ZOMBIES);
        if (!cache)
            continue;
        counts.quarantined += cache->quarantined;
        counts.evicted += cache->evicted;
        counts.evicted_bytes += cache->evicted_bytes;
        counts.passed_by += cache->passed_by;
    }
    for (const gp_quarantine_slot *slot = gp_slots; slot < gp_slots + slot_count; slot++) {
        if (!gp_slot_is_held(slot))
            continue;
        counts.kept++;
        counts.kept_bytes += slot->size;
    }
    return counts;
}
