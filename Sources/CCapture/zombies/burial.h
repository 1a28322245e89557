// Burying a block, inline for the hook.
#ifndef GP_ZOMBIES_BURIAL_H
#define GP_ZOMBIES_BURIAL_H

#include "TraceFormat.h"
#include "deaths.h"
#include "options.h"
#include "poison.h"
#include "quarantine.h"

enum { GP_GRAVES_AHEAD = 8, GP_BLOCKS_AHEAD = 4 };

// Graves are used again in a known order: what is needed for the next ones is fetched meanwhile.
static inline void gp_grave_prefetch(const gp_grave *grave) {
    __builtin_prefetch(grave + GP_GRAVES_AHEAD, 1);
    uintptr_t block = grave[GP_BLOCKS_AHEAD].address;
    gp_live_entry *place = gp_live_find(block);
    if (place) {
        __builtin_prefetch((const void *)block, 1);
        __builtin_prefetch(place, 1);
    }
}

// A grave's state is odd while it holds a block, and never the same again.
static inline bool gp_grave_is_held(const gp_grave *grave) {
    return grave->state & 1;
}

// What the live table says of the grave's block.
static inline gp_live_entry gp_grave_entry(const gp_grave *grave) {
    return (gp_live_entry)(gp_grave_number(grave) + 1) << 4;
}

// How many words of the block are poisoned.
static inline size_t gp_grave_words(const gp_grave *grave) {
    if (__builtin_expect(gp_zombie_asked.keep_going, 0) && grave->type)
        return grave->size < 16 ? grave->size / 8 : 2;
    return gp_poisoned_words(grave->size);
}

// The grave's block was written to: reports it.
GP_SLOW_PATH void gp_grave_broken(struct gp_thread *thread, gp_grave *grave);

// Another grave has the block, or had it: two threads freed it at the same moment. Reports it. False: the grave waits, for
// that other one to give the block back.
GP_SLOW_PATH bool gp_grave_disowned(struct gp_thread *thread, gp_deaths *deaths, gp_grave *grave);

// The program went on after a use of the grave's block and may know its side table: the grave keeps the block, so that no
// other one is told in its place. False: too many are kept like this; the table is taken away.
GP_SLOW_PATH bool gp_grave_keeps(gp_grave *grave);

static inline bool gp_grave_stands(const gp_grave *grave) {
    return gp_poison_stands((const uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
}

// Gives the grave's block back to the allocator, without an address of the graves: the next block's would be told in place
// of its own. False: the grave stays as it is.
static inline bool gp_grave_empty(struct gp_thread *thread, gp_deaths *deaths, gp_grave *grave,
                                  void (*give_back)(void *block)) {
    uintptr_t block = grave->address;
    gp_live_entry *place = gp_live_find(block);
    if (__builtin_expect(!place || *place != gp_grave_entry(grave), 0)) {
        return gp_grave_disowned(thread, deaths, grave);
    }
    if (__builtin_expect(!gp_grave_stands(grave), 0))
        gp_grave_broken(thread, grave);
    if (__builtin_expect(grave->flags & GP_ZOMBIE_CONTINUED, 0) && gp_grave_keeps(grave))
        return false;
    // Before the block changes: whoever inspects it at this moment sees that it is about to leave.
    __atomic_store_n(&grave->state, grave->state + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    gp_poison_clear((uintptr_t *)block, gp_grave_words(grave));
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    deaths->evicted++;
    deaths->evicted_bytes += grave->size;
    give_back((void *)block);
    return true;
}

// A grave in another row than the thread's. NULL: as gp_grave_for has it.
gp_grave *gp_grave_elsewhere(struct gp_thread *thread, gp_deaths *deaths, uint64_t size,
                             void (*give_back)(void *block));

// A grave for a block of this size; the oldest leave for it. NULL: the block is larger than the quarantine takes, or
// other threads are filling all rows. The caller fills all but `state` and then closes it; the same thread must ask for
// no other grave in between. `deaths`: the thread's.
static inline gp_grave *gp_grave_for(struct gp_thread *thread, gp_deaths *deaths, uint64_t size,
                                     void (*give_back)(void *block)) {
    deaths->room -= (int64_t)size;
    gp_grave *grave;
    do {
        grave = deaths->next;
        if (__builtin_expect(deaths->room < 0 || grave == deaths->end, 0)) {
            grave = gp_grave_elsewhere(thread, deaths, size, give_back);
            if (!grave)
                return NULL;
        }
        deaths->next = grave + 1;
        gp_grave_prefetch(grave);
    } while (__builtin_expect(gp_grave_is_held(grave), 1) && !gp_grave_empty(thread, deaths, grave, give_back));
    deaths->buried++;
    return grave;
}

// Poisons the block of a grave and keeps it. `place`: its entry of the live table, which was `living`. False: another
// thread freed the block at the same moment and has it; this grave stays empty. Where neither sees the other both keep
// it, and the one that the entry does not name is told when it is emptied.
static inline bool gp_grave_close(gp_grave *grave, gp_live_entry *place, gp_live_entry living) {
    if (__builtin_expect(__atomic_load_n(place, __ATOMIC_RELAXED) != living, 0))
        return false;
    __atomic_store_n(place, gp_grave_entry(grave), __ATOMIC_RELEASE);
    gp_poison((uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
    __atomic_store_n(&grave->state, grave->state + 1, __ATOMIC_RELEASE);
    return true;
}

#endif
