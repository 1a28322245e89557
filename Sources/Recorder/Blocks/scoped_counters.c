#include "alloc_hooks.h"

#include <stdatomic.h>
#include <string.h>

#include "CRecorderInterface.h"
#include "arch.h"
#include "block_sampling.h"
#include "key_table.h"
#include "safe_read.h"
#include "live_entry.h"
#include "lock.h"
#include "recording_state.h"
#include "swift_types.h"
#include "system.h"
#include "thread.h"

// A counter's number is a count in the high bits and its place in the low ones: places are used anew, numbers are not.
enum { PLACE_BITS = 12, PLACES = 1 << PLACE_BITS, ROW_BITS = 13, ROWS = 1 << ROW_BITS, TYPE_TRIES = 200 };

typedef struct {
    uint64_t key;  // type << 32 | stack, + 1 so that 0 is free
    _Atomic uint64_t count, bytes;
} row;

typedef struct {
    _Atomic uint64_t number;  // whose blocks are marked; 0: none's
    _Atomic bool counts;  // from its beginning until its blocks were swept
    _Atomic uint32_t counting;  // threads that count into it now
    _Atomic uint64_t omitted;  // blocks that found no row
    row *rows;
} counter;

static counter counters[PLACES];
static uint64_t (*_Atomic owner_function)(void);
static uint64_t last_number;  // these: guarded by `lock`
static uint32_t last_place, open_counters, kept_count;
static row *kept[PLACES];  // tables without a counter
static gp_lock lock;  // around the beginning and the end of counters, never in a hook

// The place of the counter that the calling code belongs to; 0: none.
static uint16_t here_now(void) {
    uint64_t (*here)(void) = atomic_load(&owner_function);
    uint64_t number = here ? here() : 0;
    uint32_t place = number & (PLACES - 1);
    return number && atomic_load(&counters[place].number) == number ? (uint16_t)place : 0;
}

// A full table counts what it cannot tell apart.
static void count(counter *into, uint64_t size, uint32_t stack, uint32_t type) {
    const gp_key_table table = {into->rows, sizeof(row), ROW_BITS};
    row *found = gp_key_claim(table, ((uint64_t)type << 32 | stack) + 1);
    if (!found) {
        atomic_fetch_add(&into->omitted, 1);
        return;
    }
    atomic_fetch_add_explicit(&found->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&found->bytes, size, memory_order_relaxed);
}

// Takes the mark off a block; 0: it has none, or another thread was first.
static uint16_t take_mark(uintptr_t address) {
    gp_live_region *region = gp_live_region_of(address);
    uint16_t *mark = region ? &region->counters[gp_live_index(address)] : NULL;
    return mark && *mark ? __atomic_exchange_n(mark, 0, __ATOMIC_ACQ_REL) : 0;
}

// Of a type that is seen for the first time by two threads at once, only one gets the number right away.
static uint32_t settled_type(uintptr_t word, uint64_t size, uint32_t type) {
    if (type || size < 16 || (word & 7) || word < 65536 || word >> GP_USER_BITS || gp_type_kind(word, size) < 0)
        return type;
    for (unsigned tries = 0; tries < TYPE_TRIES && !type; tries++) {
        type = gp_type_id(NULL, word, size);
        if (!type)
            gp_lock_rest(tries);
    }
    return type;
}

void gp_counter_freed(uintptr_t address, uint64_t size, uint32_t stack, uint32_t type) {
    uint16_t place = take_mark(address);
    if (!place || place >= PLACES)
        return;
    counter *into = &counters[place];
    atomic_fetch_add(&into->counting, 1);
    if (atomic_load(&into->counts))
        count(into, size, stack, settled_type(*(const uintptr_t *)address, size, type));
    atomic_fetch_sub(&into->counting, 1);
}

static row *take_table(void) {
    if (!kept_count)
        return gp_system_pages(ROWS * sizeof(row));
    row *rows = kept[--kept_count];
    memset((void *)rows, 0, ROWS * sizeof *rows);
    return rows;
}

static counter *free_place(uint32_t *place) {
    for (uint32_t tries = 1; tries < PLACES; tries++) {
        last_place = last_place % (PLACES - 1) + 1;
        *place = last_place;
        if (!counters[last_place].rows)
            return &counters[last_place];
    }
    return NULL;
}

uint64_t gp_counter_begin(uint64_t (*here)(void)) {
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    if (!thread || thread->busy || (gp_sampling_mean && !gp_sampling_knows_all))
        return 0;
    uint64_t number = 0;
    uint32_t place = 0;
    atomic_store(&owner_function, here);
    gp_live_owner = here_now;
    gp_lock_enter(&lock);
    counter *made = free_place(&place);
    row *rows = made ? take_table() : NULL;
    if (rows) {
        number = ++last_number << PLACE_BITS | place;
        made->rows = rows;
        atomic_store(&made->omitted, 0);
        atomic_store(&made->counts, true);
        atomic_store(&made->number, number);
        if (open_counters++ == 0)
            __atomic_fetch_or(&gp_live_age, GP_AGE_COUNTED, __ATOMIC_SEQ_CST);
    }
    gp_lock_leave(&lock);
    return number;
}

typedef struct {
    counter *into;
    gp_thread *thread;
    uint16_t place;
} sweeping;

// The block may be freed meanwhile, and its page given back.
static uintptr_t first_word(uintptr_t address) {
    uintptr_t word = 0;
    return gp_safe_read(address, &word, sizeof word) ? word : 0;
}

static bool sweep(const gp_block *block, void *context) {
    const sweeping *s = context;
    uint16_t mine = s->place, *mark = &gp_live_region_of(block->address)->counters[gp_live_index(block->address)];
    // The address may be another block's meanwhile, which another counter marked: that mark stays.
    if (!__atomic_compare_exchange_n(mark, &mine, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return true;
    uintptr_t word = block->size >= 16 ? first_word(block->address) : 0;
    uint32_t type = gp_type_id(s->thread, word, block->size);
    count(s->into, block->size, block->stack, settled_type(word, block->size, type));
    return true;
}

static size_t copy_rows(const counter *from, gp_counter_row *rows, size_t capacity, uint64_t *omitted) {
    size_t found = 0;
    *omitted = atomic_load(&from->omitted);
    for (uint32_t i = 0; i < ROWS; i++) {
        uint64_t key = __atomic_load_n(&from->rows[i].key, __ATOMIC_ACQUIRE),
                 counted = atomic_load(&from->rows[i].count);
        if (!key)
            continue;
        if (found == capacity) {
            *omitted += counted;
            continue;
        }
        uint32_t type = (uint32_t)((key - 1) >> 32);
        rows[found++] = (gp_counter_row){.metadata = type ? gp_type_metadata(type) : 0,
                                         .type = type,
                                         .stack = (uint32_t)(key - 1),
                                         .count = counted,
                                         .bytes = atomic_load(&from->rows[i].bytes)};
    }
    return found;
}

size_t gp_counter_end(uint64_t number, gp_counter_row *rows, size_t capacity, uint64_t *omitted) {
    counter *ended = &counters[number & (PLACES - 1)];
    *omitted = 0;
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    if (!number || !thread || thread->busy || atomic_load(&ended->number) != number)
        return 0;
    thread->busy = true;
    atomic_store(&ended->number, 0);
    sweeping s = {ended, thread, (uint16_t)(number & (PLACES - 1))};
    gp_live_each(sweep, &s);
    atomic_store(&ended->counts, false);
    for (unsigned looks = 0; atomic_load(&ended->counting); looks++)
        gp_lock_rest(looks);
    size_t found = copy_rows(ended, rows, capacity, omitted);
    gp_lock_enter(&lock);
    kept[kept_count++] = ended->rows;
    ended->rows = NULL;
    if (--open_counters == 0)
        __atomic_fetch_and(&gp_live_age, ~(uint32_t)GP_AGE_COUNTED, __ATOMIC_SEQ_CST);
    gp_lock_leave(&lock);
    gp_thread_leave(thread);
    return found;
}
