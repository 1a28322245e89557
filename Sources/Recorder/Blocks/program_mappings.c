#include "program_mappings.h"

#include <stdatomic.h>

#include "recording_state.h"
#include "stack.h"
#include "thread.h"

enum { MOST = 4096, LEAST_BYTES = 64 << 10 };

// Where `start` of an entry is no address.
enum { FREE = 0, TAKEN = 1 };

typedef struct {
    _Atomic uintptr_t start;
    uintptr_t end;
    uint32_t stack;
} mapping;

static mapping mappings[MOST];
static _Atomic uint32_t used;  // entries beyond were never taken

static mapping *take(void) {
    for (uint32_t i = 0; i < MOST; i++) {
        uintptr_t expected = FREE;
        if (atomic_load_explicit(&mappings[i].start, memory_order_relaxed) != FREE ||
            !atomic_compare_exchange_strong(&mappings[i].start, &expected, TAKEN))
            continue;
        uint32_t known = atomic_load(&used);
        while (known <= i && !atomic_compare_exchange_weak(&used, &known, i + 1)) {
        }
        return &mappings[i];
    }
    return NULL;
}

void gp_program_maps(uintptr_t address, size_t length, gp_registers caller) {
    gp_thread *thread = length >= LEAST_BYTES && gp_recording_is_on() ? gp_thread_current() : NULL;
    mapping *entry = thread && !thread->busy ? take() : NULL;
    if (!entry)
        return;
    thread->busy = true;
    entry->stack = gp_stack_id(thread, caller);
    gp_thread_leave(thread);
    entry->end = address + length;
    atomic_store(&entry->start, address);
}

void gp_program_unmaps(uintptr_t address, size_t length) {
    const uint32_t known = atomic_load_explicit(&used, memory_order_relaxed);
    for (uint32_t i = 0; i < known; i++) {
        uintptr_t start = atomic_load(&mappings[i].start);
        // A part of a mapping that is unmapped holds no resident page.
        if (start > TAKEN && start >= address && mappings[i].end - address <= length)
            atomic_compare_exchange_strong(&mappings[i].start, &start, FREE);
    }
}

void gp_program_mappings_each(void (*visit)(uintptr_t start, uintptr_t end, uint32_t stack, void *context),
                              void *context) {
    const uint32_t known = atomic_load(&used);
    for (uint32_t i = 0; i < known; i++) {
        const uintptr_t start = atomic_load(&mappings[i].start);
        if (start > TAKEN)
            visit(start, mappings[i].end, mappings[i].stack, context);
    }
}
