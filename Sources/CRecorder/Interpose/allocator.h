// The allocator behind the recorder: libc's, or the one that the program brings (jemalloc, tcmalloc, mimalloc).
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *block, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    void (*free)(void *block);
} gp_allocator;

extern __attribute__((visibility("hidden"))) gp_allocator gp_real;

// What the program's calls are led to, but memalign: the allocator itself where nothing is recorded.
extern __attribute__((visibility("hidden"))) gp_allocator gp_entries;

// The allocator is known: from now on gp_entries follows the state of the recording.
void gp_entries_prepare(void);

// Of a linked recorder: whether the interposed functions only lead on to the allocator, since it is another copy of the
// recorder, a preloaded one, or is being looked for. The first call looks for it.
bool gp_allocator_leads_on(void);

// False as soon as it is known that they do not.
extern __attribute__((visibility("hidden"))) bool gp_allocator_may_lead_on;
