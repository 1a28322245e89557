#include "stale_filters.h"

#include "arch.h"
#include "block_index.h"
#include "images.h"

enum { TLS_BYTES = 65536, TSD_SIZE = 96, CHAIN_MAX = 4096, SMALLEST = 64, LARGEST = 88 };

// A thread's own data (struct dispatch_tsd): its id, …, the chain.
enum { TSD_ID = 0, TSD_CHAIN = 24 };

// struct dispatch_continuation_s: flags, length of the chain from here on, the next one, voucher, function, context, data.
enum { LENGTH = 8, NEXT = 16, FUNCTION = 32 };

static uintptr_t word_at(uintptr_t address) {
    return *(const uintptr_t *)address;
}

static uint32_t continuation(const gp_block_index *index, uintptr_t address) {
    uint32_t block = gp_index_exact(index, address);
    if (block == GP_NO_BLOCK)
        return GP_NO_BLOCK;
    size_t usable = gp_block_usable(address);
    uintptr_t function = word_at(address + FUNCTION);  // none where a source's timer has used it
    bool fits = usable >= SMALLEST && usable <= LARGEST && (!function || gp_address_is_executable(function));
    return fits ? block : GP_NO_BLOCK;
}

// Whether a chain begins at `first` in which each one knows how many are left.
static bool is_chain(const gp_block_index *index, uintptr_t first) {
    if (continuation(index, first) == GP_NO_BLOCK)
        return false;
    uint32_t length = (uint32_t)word_at(first + LENGTH);
    uintptr_t at = first;
    for (uint32_t left = length; left > 0 && left <= CHAIN_MAX; left--) {
        if (continuation(index, at) == GP_NO_BLOCK || (uint32_t)word_at(at + LENGTH) != left)
            return false;
        at = word_at(at + NEXT);
    }
    return length > 0 && length <= CHAIN_MAX && at == 0;
}

static void visit_chain(const gp_block_index *index, uintptr_t first, gp_number_visitor *visit, void *context) {
    for (uintptr_t at = first; at; at = word_at(at + NEXT))
        visit(gp_index_exact(index, at), context);
}

// The storage of libraries that came with the program lies beside the thread control block.
enum { BELOW = GP_CONTROL_BLOCK_IS_AT_POINTER ? TLS_BYTES : 0, ABOVE = TLS_BYTES - BELOW };

static void visit_thread(const gp_roots *roots, const gp_stopped_thread *thread, gp_number_visitor *visit,
                         void *context) {
    const gp_map *map = gp_memory_map_find(roots->map, thread->thread_pointer);
    if (!map || !(map->flags & GP_MAP_READ))
        return;
    uintptr_t block = thread->thread_pointer & ~(uintptr_t)7;
    uintptr_t start = block - map->start > BELOW ? block - BELOW : map->start;
    uintptr_t end = map->end - block > ABOVE ? block + ABOVE : map->end;
    for (uintptr_t at = start; at + TSD_SIZE <= end; at += 8)
        if (word_at(at + TSD_ID) == thread->id && is_chain(roots->index, word_at(at + TSD_CHAIN)))
            visit_chain(roots->index, word_at(at + TSD_CHAIN), visit, context);
}

void gp_dispatch_cache_each(const gp_roots *roots, gp_number_visitor *visit, void *context) {
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (gp_thread_was_stopped(&roots->threads->threads[i]))
            visit_thread(roots, &roots->threads->threads[i], visit, context);
    visit_thread(roots, roots->caller, visit, context);
}
