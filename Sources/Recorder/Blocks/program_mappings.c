#include "program_mappings.h"

#include <stdatomic.h>

#include "alloc_hooks.h"
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

// Forgets what stands from `start` to `end`. Of what has more a part is left, which is placed where both its ends are.
static void forget(places *list, uintptr_t start, uintptr_t end) {
    const uint32_t known = atomic_load_explicit(&list->used, memory_order_relaxed);
    for (uint32_t i = 0; i < known; i++) {
        place *const entry = &list->places[i];
        uintptr_t found = atomic_load(&entry->start);
        if (found <= TAKEN || found >= end || entry->end <= start)
            continue;
        if (found < start && entry->end > end)
            entry->is_placed = true;
        else if (found < start)
            entry->end = start;
        else
            atomic_compare_exchange_strong(&entry->start, &found, entry->end > end ? end : FREE);
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
    forget(&mappings, 0, UINTPTR_MAX);
    forget(&threads, 0, UINTPTR_MAX);
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
    } else if (what != GP_MAPS_ADDRESSES && (length >= LEAST_BYTES || gp_allocator_is_foreign)) {
        add(&mappings, address, address + length, what == GP_MAPS_PLACED, caller);
    }
}

void gp_program_unmaps(uintptr_t address, size_t length) {
    if (!length || length > UINTPTR_MAX - address - gp_page_size())
        return;
    const uintptr_t end = gp_page_end(address + length);
    forget(&mappings, address, end);
    forget(&allocators, address, end);
}

void gp_allocator_mappings_each(gp_place_visitor *visit, void *context) {
    each(&allocators, visit, context);
}

void gp_program_mappings_each(gp_place_visitor *visit, void *context) {
    each(&mappings, visit, context);
}

void gp_program_makes_thread(uintptr_t handle, gp_registers caller) {
    forget(&threads, handle, handle + 1);
    add(&threads, handle, handle + 1, false, caller);
}

void gp_program_threads_each(gp_place_visitor *visit, void *context) {
    each(&threads, visit, context);
}
