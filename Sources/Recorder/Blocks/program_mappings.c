#include "program_mappings.h"

#include <stdatomic.h>

#include "recording_state.h"
#include "slow_path.h"
#include "stack.h"
#include "thread.h"

enum { MOST = 4096, LEAST_BYTES = 64 << 10 };

// Where `start` of an entry is no address.
enum { FREE = 0, TAKEN = 1 };

typedef struct {
    _Atomic uintptr_t start;
    uintptr_t end;
    uint32_t stack;
    bool is_placed;
} place;

typedef struct {
    place places[MOST];
    _Atomic uint32_t used;  // entries beyond were never taken
} places;

static places mappings, threads, allocators;
static uintptr_t allocator_start, allocator_end;

static place *take(places *list) {
    for (uint32_t i = 0; i < MOST; i++) {
        uintptr_t expected = FREE;
        if (atomic_load_explicit(&list->places[i].start, memory_order_relaxed) != FREE ||
            !atomic_compare_exchange_strong(&list->places[i].start, &expected, TAKEN))
            continue;
        uint32_t known = atomic_load(&list->used);
        while (known <= i && !atomic_compare_exchange_weak(&list->used, &known, i + 1)) {
        }
        return &list->places[i];
    }
    return NULL;
}

static void store(place *entry, uintptr_t start, uintptr_t end, bool is_placed) {
    entry->end = end;
    entry->is_placed = is_placed;
    atomic_store(&entry->start, start);
}

static void add(places *list, uintptr_t start, uintptr_t end, bool is_placed, gp_registers caller) {
    gp_thread *thread = gp_recording_is_on() ? gp_thread_current() : NULL;
    place *entry = thread && !thread->busy ? take(list) : NULL;
    if (!entry)
        return;
    thread->busy = true;
    entry->stack = gp_stack_id(thread, caller);
    gp_thread_leave(thread);
    store(entry, start, end, is_placed);
}

// Forgets what begins from `start` on and ends before `start + length`, or with it.
static void forget(places *list, uintptr_t start, size_t length) {
    const uint32_t known = atomic_load_explicit(&list->used, memory_order_relaxed);
    for (uint32_t i = 0; i < known; i++) {
        uintptr_t found = atomic_load(&list->places[i].start);
        if (found > TAKEN && found >= start && list->places[i].end - start <= length)
            atomic_compare_exchange_strong(&list->places[i].start, &found, FREE);
    }
}

static void each(places *list, gp_place_visitor *visit, void *context) {
    const uint32_t known = atomic_load(&list->used);
    for (uint32_t i = 0; i < known; i++) {
        const uintptr_t start = atomic_load(&list->places[i].start);
        if (start > TAKEN)
            visit(start, list->places[i].end, list->places[i].stack, list->places[i].is_placed, context);
    }
}

void gp_program_places_forget(void) {
    forget(&mappings, 0, SIZE_MAX);
    forget(&threads, 0, SIZE_MAX);
}

void gp_allocator_lies(uintptr_t start, uintptr_t end) {
    allocator_start = start;
    allocator_end = end;
}

void gp_program_maps(uintptr_t address, size_t length, gp_maps what, gp_registers caller) {
    if (GP_UNLIKELY(caller.pc - allocator_start < allocator_end - allocator_start)) {
        place *entry = take(&allocators);
        if (entry)
            store(entry, address, address + length, false);
    } else if (what != GP_MAPS_ADDRESSES && length >= LEAST_BYTES) {
        add(&mappings, address, address + length, what == GP_MAPS_PLACED, caller);
    }
}

// A part of a mapping that is unmapped holds no resident page.
void gp_program_unmaps(uintptr_t address, size_t length) {
    forget(&mappings, address, length);
    forget(&allocators, address, length);
}

void gp_allocator_mappings_each(gp_place_visitor *visit, void *context) {
    each(&allocators, visit, context);
}

void gp_program_mappings_each(gp_place_visitor *visit, void *context) {
    each(&mappings, visit, context);
}

void gp_program_makes_thread(uintptr_t handle, gp_registers caller) {
    forget(&threads, handle, 1);
    add(&threads, handle, handle + 1, false, caller);
}

void gp_program_threads_each(gp_place_visitor *visit, void *context) {
    each(&threads, visit, context);
}
