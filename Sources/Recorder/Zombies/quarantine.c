#include "quarantine.h"

#include <stdatomic.h>

#include "arena.h"
#include "lock.h"
#include "recording_state.h"
#include "system.h"
#include "trace_writer.h"
#include "zombies.h"

uintptr_t gp_slots_base, gp_slots_size;
gp_quarantine_slot *gp_slots;
static uint32_t slot_count;
static uint64_t byte_limit;

enum { SLOTS_BEHIND = GP_UNOWNED_KEPT_MOST + GP_REVEALED_MOST };
enum { LARGEST_SHARE = 8, BATCH_SHARE = 1024 };

// ------------------------------------------------------------------------------------------------------------ batches

// A thread fills a batch of its own without a lock; full batches wait in the order in which they were filled, and the oldest
// is used again, slot by slot.
enum { LONGEST_BATCH = 32, FEWEST_BATCHES = 64 };

static uint32_t batch_length, batch_count;  // a batch's first slot is its number times the length
static uint32_t next_fresh;
static uint64_t *bytes_of;  // by batch: of its blocks, while it waits
static uint32_t *waiting;  // a ring of batches, oldest first
static uint64_t waiting_first, waiting_end, waiting_bytes;
static uint32_t *empty, empty_count;  // batches without blocks
static gp_lock lock;

static bool open_batches(uint32_t slots) {
    batch_length = slots / FEWEST_BATCHES < LONGEST_BATCH ? slots / FEWEST_BATCHES : LONGEST_BATCH;
    batch_length = batch_length ? batch_length : 1;
    batch_count = slots / batch_length;
    bytes_of = gp_system_pages(batch_count * sizeof *bytes_of);
    waiting = gp_system_pages(batch_count * sizeof *waiting);
    empty = gp_system_pages(batch_count * sizeof *empty);
    return bytes_of && waiting && empty;
}

static void wait_in_line(uint32_t batch, uint64_t bytes) {
    gp_lock_enter(&lock);
    bytes_of[batch] = bytes;
    waiting_bytes += bytes;
    waiting[waiting_end++ % batch_count] = batch;
    gp_lock_leave(&lock);
}

// Inside the lock. False: no batch waits.
static bool take_first(uint32_t *batch, uint64_t *bytes) {
    if (waiting_first == waiting_end)
        return false;
    *batch = waiting[waiting_first++ % batch_count];
    *bytes = bytes_of[*batch];
    waiting_bytes -= *bytes;
    return true;
}

// The oldest batch, whose blocks are to be given back; `excess`: only if what waits has too many bytes.
static bool take_oldest(uint32_t *batch, bool excess) {
    uint64_t bytes;
    gp_lock_enter(&lock);
    bool taken = (!excess || waiting_bytes > byte_limit) && take_first(batch, &bytes);
    gp_lock_leave(&lock);
    return taken;
}

static void put_empty(uint32_t batch) {
    gp_lock_enter(&lock);
    empty[empty_count++] = batch;
    gp_lock_leave(&lock);
}

// A batch to fill: one without blocks, or the oldest with what it holds, `bytes`. False: other threads are filling them all.
static bool take_batch(uint32_t *batch, uint64_t *bytes) {
    bool taken = true;
    *bytes = 0;
    gp_lock_enter(&lock);
    if (empty_count > 0)
        *batch = empty[--empty_count];
    else if (next_fresh < batch_count)
        *batch = next_fresh++;
    else
        taken = take_first(batch, bytes);
    gp_lock_leave(&lock);
    return taken;
}

// -------------------------------------------------------------------------------------------------- a thread's batch

static void empty_slots(gp_thread *thread, gp_quarantine_cache *cache, gp_quarantine_slot *from,
                        const gp_quarantine_slot *end, void (*give_back)(void *block)) {
    for (gp_quarantine_slot *slot = from; slot < end; slot++)
        if (gp_slot_is_held(slot))
            (void)gp_slot_empty(thread, cache, slot, give_back);
}

static void empty_batch(gp_thread *thread, gp_quarantine_cache *cache, uint32_t batch, void (*give_back)(void *block)) {
    gp_quarantine_slot *const first = gp_slots + batch * batch_length;
    empty_slots(thread, cache, first, first + batch_length, give_back);
    put_empty(batch);
}

// How many bytes a batch's blocks have together, unless one alone has more.
static int64_t batch_room(void) {
    return (int64_t)(byte_limit / BATCH_SHARE);
}

// The thread's batch waits. What its last slots still hold is older than all else.
static void leave_batch(gp_thread *thread, gp_quarantine_cache *cache, void (*give_back)(void *block)) {
    if (!cache->end)
        return;
    empty_slots(thread, cache, cache->next, cache->end, give_back);
    wait_in_line(gp_slot_number(cache->end) / batch_length - 1, (uint64_t)(batch_room() - cache->room));
    cache->next = cache->end = NULL;
}

// A batch to fill. Of one that is used again, what has more bytes than usual leaves at once: the thread may rest before it
// has used all slots.
static bool open_batch(gp_thread *thread, gp_quarantine_cache *cache, void (*give_back)(void *block)) {
    uint32_t batch;
    uint64_t bytes;
    while (take_oldest(&batch, true))
        empty_batch(thread, cache, batch, give_back);
    if (!take_batch(&batch, &bytes))
        return false;
    __atomic_thread_fence(__ATOMIC_RELEASE);  // what another thread emptied has left for whoever sees it filled anew
    cache->next = gp_slots + batch * batch_length;
    cache->end = cache->next + batch_length;
    cache->room = batch_room();
    if (bytes > 2 * (uint64_t)batch_room())
        empty_slots(thread, cache, cache->next, cache->end, give_back);
    return true;
}

gp_quarantine_slot *gp_slot_of_next_batch(gp_thread *thread, gp_quarantine_cache *cache, uint64_t size,
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

gp_quarantine_cache *gp_quarantine_cache_begin(gp_thread *thread) {
    void **slot = gp_thread_slot(thread, GP_INSTRUMENT_ZOMBIES);
    if (!*slot)
        *slot = gp_arena_allocate(sizeof(gp_quarantine_cache));
    gp_quarantine_cache *cache = *slot;
    if (cache) {
        gp_stacks_begin(&cache->stacks);
        cache->unlooked = 0;
        cache->thread = thread->id;
    }
    return cache;
}

// Gives the blocks that were freed first back before their time: a batch's, the thread's own when no other is left.
static bool give_way(gp_thread *thread, gp_quarantine_cache *cache, void (*give_back)(void *block)) {
    uint32_t batch;
    if (!take_oldest(&batch, false)) {
        leave_batch(thread, cache, give_back);
        if (!take_oldest(&batch, false))
            return false;
    }
    empty_batch(thread, cache, batch, give_back);
    return true;
}

bool gp_zombie_make_room(size_t size, void (*give_back)(void *block)) {
    gp_thread *thread = gp_recording_is_on() && size <= byte_limit ? gp_thread_enter() : NULL;
    if (!thread)
        return false;
    gp_quarantine_cache *cache = gp_quarantine_cache_of(thread);
    bool done = cache && give_way(thread, cache, give_back);
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (done && !atomic_flag_test_and_set(&reported))
        gp_write_note(thread, "The program ran out of memory: blocks left the quarantine early to make room.");
    gp_thread_leave(thread);
    return done;
}

// -------------------------------------------------------------------------------------------------------------- slots

uint64_t gp_quarantine_space(uint32_t count) {
    return ((uint64_t)count + SLOTS_BEHIND) << GP_SLOT_BITS;
}

bool gp_quarantine_open(uint64_t bytes, uint32_t count) {
    uint64_t all = (uint64_t)count + SLOTS_BEHIND, space = gp_quarantine_space(count);
    long address =
        gp_system_map(space + (1 << GP_SLOT_BITS), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address < 0 && address > -4096)
        return false;
    gp_slots = gp_system_pages(all * sizeof(gp_quarantine_slot));
    if (!gp_slots || !open_batches(count)) {
        gp_system(munmap, address, space + (1 << GP_SLOT_BITS));
        return false;
    }
    gp_slots_base = ((uintptr_t)address + (1 << GP_SLOT_BITS) - 1) & ~(uintptr_t)((1 << GP_SLOT_BITS) - 1);
    gp_slots_size = space;
    slot_count = count;
    byte_limit = bytes;
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
