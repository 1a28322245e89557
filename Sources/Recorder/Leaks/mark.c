#include "mark.h"

#include <stdatomic.h>
#include <string.h>

#include "system.h"
#include "TraceFormat.h"
#include "object_kind.h"
#include "references.h"

enum { STRING_BIAS = 32, PLAN_WORDS = 64, PROGRESS_STEP = 4096, AHEAD = 8 };
static const size_t HANDLED_BYTES = ((size_t)1 << 32) / 64;  // objects up to 4 GiB

bool gp_mark_prepare(gp_marker *marker, const gp_block_index *index) {
    const gp_marker first = {.index = index,
                             .stack = gp_system_pages(((size_t)index->count + 1) * sizeof *marker->stack),
                             .handled = gp_system_pages(HANDLED_BYTES)};
    return gp_mark_prepare_like(marker, &first) && marker->stack && marker->handled;
}

bool gp_mark_prepare_like(gp_marker *marker, const gp_marker *other) {
    const uint32_t count = other->index->count;
    *marker = (gp_marker){
        .index = other->index, .stack = other->stack, .handled = other->handled, .progress = other->progress};
    marker->marked = gp_set_new(count);
    marker->conservative = gp_set_new(count);
    marker->owners = gp_system_pages((size_t)count + 1);
    return marker->marked && marker->conservative && marker->owners;
}

void gp_mark_restart(gp_marker *marker, const uint64_t *proved) {
    memset(marker->marked, 0, gp_set_size(marker->index->count));
    marker->proved = proved;
}

static void reach(gp_marker *marker, uint32_t block, uintptr_t start, bool conservative) {
    if (!gp_set_add(marker->marked, block))
        return;
    marker->stack[marker->depth++] = start | gp_index_slack(marker->index, block);
    if (conservative)
        gp_set_add(marker->conservative, block);
}

void gp_mark_block(gp_marker *marker, uint32_t block, uintptr_t start) {
    reach(marker, block, start, false);
}

static void note_naming(gp_marker *marker, uint32_t named) {
    gp_number_list_add(&marker->namings,
                       marker->reading ? gp_index_exact(marker->index, marker->reading) : GP_NO_BLOCK);
    gp_number_list_add(&marker->namings, named);
}

// Programs keep up to three bits of their own below an address.
static void meet_proved(gp_marker *marker, uint32_t block, uintptr_t start, uintptr_t address, bool conservative) {
    if (!conservative || start != (address & ~(uintptr_t)7))
        return;
    marker->met = true;
    if (marker->names)
        note_naming(marker, block);
}

static bool reach_block(gp_marker *marker, uintptr_t address, uint32_t block, bool conservative) {
    uintptr_t start = address;
    bool exact = block != GP_NO_BLOCK;
    if (!exact)
        block = gp_index_inside(marker->index, address, &start);
    if (block == GP_NO_BLOCK)
        return false;
    if (marker->proved && gp_set_has(marker->proved, block)) {
        meet_proved(marker, block, start, address, conservative);
        return true;
    }
    if (!conservative && exact && marker->owners[block] < UINT8_MAX)
        marker->owners[block]++;
    reach(marker, block, start, conservative);
    return true;
}

static bool reach_address(gp_marker *marker, uintptr_t address, bool conservative) {
    return reach_block(marker, address, gp_index_exact(marker->index, address), conservative);
}

// Half way through the queue the word's place in the index has arrived, and the block's bits are asked for.
static void look_up(gp_marker *marker, unsigned at) {
    uintptr_t word = marker->pending[at % GP_MARK_PENDING].word;
    if (!word)
        return;
    uint32_t block = gp_index_exact(marker->index, word);
    marker->pending[at % GP_MARK_PENDING].block = block;
    if (block == GP_NO_BLOCK)
        return;
    __builtin_prefetch(&marker->marked[block / 64]);
    if (!marker->pending[at % GP_MARK_PENDING].conservative)
        __builtin_prefetch(&marker->owners[block], 1);
}

static void push_pending(gp_marker *marker, uintptr_t word, bool conservative) {
    unsigned at = marker->next++;
    __typeof__(marker->pending[0]) *place = &marker->pending[at % GP_MARK_PENDING], oldest = *place;
    place->word = word;
    place->conservative = conservative;
    if (word)
        gp_index_prefetch(marker->index, word);
    look_up(marker, at - GP_MARK_PENDING / 2);
    if (oldest.word)
        reach_block(marker, oldest.word, oldest.block, oldest.conservative);
}

// Takes the words that wait to their blocks.
static void flush_pending(gp_marker *marker) {
    for (unsigned i = 0; i < GP_MARK_PENDING; i++)
        push_pending(marker, 0, false);
}

static bool may_be_block(const gp_block_index *index, uintptr_t address) {
    return address + STRING_BIAS - index->low < index->high - index->low + STRING_BIAS;
}

static void reach_word(gp_marker *marker, uintptr_t word, bool conservative) {
    const gp_block_index *index = marker->index;
    if (word - index->low < index->high - index->low) {
        // The start of a block, if any: there is nothing else that the word may mean. What meets a proved block is noted with
        // the block that is being read: then no word waits.
        if (word % 16 == 0 && !marker->proved) {
            push_pending(marker, word, conservative);
            return;
        }
        if (reach_address(marker, word, conservative))
            return;
    }
    uintptr_t untagged = word & GP_ADDRESS_BITS;
    if (untagged == word && word >> 48 == 0)
        return;
    if (!may_be_block(index, untagged)) {
        if (word >> 48 && may_be_block(index, word & GP_USER_ADDRESS_BITS))
            reach_address(marker, word & GP_USER_ADDRESS_BITS, conservative);
        return;
    }
    reach_address(marker, untagged, conservative);
    uintptr_t candidates[4];
    for (unsigned i = 0, count = gp_untag(word, candidates); i < count; i++)
        if (candidates[i] != untagged)
            reach_address(marker, candidates[i], conservative);
}

void gp_mark_word(gp_marker *marker, uintptr_t word) {
    reach_word(marker, word, true);
    flush_pending(marker);
}

static bool names_next_chunk(const gp_marker *marker, uintptr_t word) {
    uintptr_t start;
    return gp_index_inside(marker->index, word, &start) != GP_NO_BLOCK && word == gp_next_chunk(start);
}

void gp_mark_range(gp_marker *marker, uintptr_t start, uintptr_t end, bool next_chunks) {
    marker->names = marker->roots_name;
    marker->reading = 0;
    for (uintptr_t at = (start + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8) {
        uintptr_t word = *(const uintptr_t *)at;
        if (!next_chunks || !names_next_chunk(marker, word))
            reach_word(marker, word, true);
    }
    flush_pending(marker);
    marker->names = false;
}

// A word that keeps the memory of what it names but not the object: a weak reference's side table, an object whose
// deinit ran and whose unowned references are not all gone.
static void keep_memory(gp_marker *marker, uintptr_t word) {
    uint32_t block = gp_index_exact(marker->index, word & GP_ADDRESS_BITS);
    if (block == GP_NO_BLOCK)
        return;
    uintptr_t start = word & GP_ADDRESS_BITS;
    gp_kind kind = gp_kind_of(start);
    if (kind.kind < 0 || gp_reference_counts_of(start).deiniting)
        gp_set_add(marker->marked, block);
}

typedef struct {
    gp_marker *marker;
    uintptr_t object;
} visiting;

// What is neither strong nor known to own nothing is left to be scanned as a word. Whoever holds an unmanaged reference
// may still release what was retained for it by hand; memory without a count and a suspended task have no other owner.
// Counting decides whether a cycle hangs on nothing else.
static void follow_reference(const gp_reference *reference, void *context) {
    const visiting *visit = context;
    gp_marker *marker = visit->marker;
    uintptr_t word = *(const uintptr_t *)(visit->object + reference->offset);
    bool strong = reference->ownership == GP_OWN_STRONG;
    if (!strong && reference->ownership != GP_OWN_WEAK && reference->ownership != GP_OWN_UNOWNED)
        return;
    if (!gp_set_add(marker->handled, reference->offset / 8))
        return;
    if (strong)
        reach_word(marker, word, false);
    else
        keep_memory(marker, word);
}

// Only the object's own reference count word owns its side table; the table's word back to the object owns nothing.
static void keep_side_table(gp_marker *marker, uintptr_t object) {
    uintptr_t table = gp_side_table_of(object);
    uint32_t block = table ? gp_index_exact(marker->index, table) : GP_NO_BLOCK;
    if (block != GP_NO_BLOCK)
        gp_set_add(marker->marked, block);
}

static void scan_by_plan(gp_marker *marker, uintptr_t object, uintptr_t end, uint64_t strong) {
    unsigned number = 2;
    for (uintptr_t at = object + 16; at + 8 <= end; at += 8, number++)
        reach_word(marker, *(const uintptr_t *)at, number >= PLAN_WORDS || !(strong >> number & 1));
}

static void scan_by_decoding(gp_marker *marker, uintptr_t object, uintptr_t end, size_t usable, int kind) {
    visiting visit = {marker, object};
    gp_references(object, usable, kind, GP_DECODE_SHAPE, follow_reference, &visit);
    for (uintptr_t at = object + 16; at + 8 <= end; at += 8)
        if ((at - object) / 64 >= HANDLED_BYTES || !gp_set_has(marker->handled, (uint32_t)((at - object) / 8)))
            reach_word(marker, *(const uintptr_t *)at, true);
    memset(marker->handled, 0, usable / 64 + 8 < HANDLED_BYTES ? usable / 64 + 8 : HANDLED_BYTES);
}

typedef struct {
    gp_marker *marker;
    uint8_t ownership;
} naming;

static void note_pointer(const gp_reference *reference, void *context) {
    const naming *n = context;
    if (reference->ownership != n->ownership)
        return;
    uint32_t block = gp_index_exact(n->marker->index, reference->target);
    if (block != GP_NO_BLOCK && gp_set_has(n->marker->proved, block))
        note_naming(n->marker, block);
}

// The pointers without a count among the object's words: not its numbers, nor what it has room for and does not use. Where
// not every word of it is known, a word that may be a pointer may be stale.
static void note_pointers(gp_marker *marker, uintptr_t object, size_t usable, int kind) {
    naming n = {marker, GP_OWN_UNMANAGED};
    marker->reading = object;
    if (gp_references(object, usable, kind, GP_DECODE_SHAPE, note_pointer, &n) != GP_DECODED_ALL)
        return;
    n.ownership = GP_OWN_CONSERVATIVE;
    gp_references(object, usable, kind, GP_DECODE_SHAPE, note_pointer, &n);
}

static void scan_object(gp_marker *marker, uintptr_t object, uintptr_t end, size_t usable, const gp_kind *kind) {
    uintptr_t metadata = kind->word;
    marker->met = false;
    if (kind->plan.fixed)
        scan_by_plan(marker, object, end, kind->plan.strong);
    else
        scan_by_decoding(marker, object, end, usable, kind->kind);
    keep_side_table(marker, object);
    reach_word(marker, metadata, true);
    if (marker->met && kind->kind != GP_TYPE_TASK && kind->kind != GP_TYPE_JOB)
        note_pointers(marker, object, usable, kind->kind);
}

static void scan_raw(gp_marker *marker, uintptr_t block, uintptr_t end, size_t usable) {
    const gp_raw_part part = gp_raw_part_of(marker->index, block, end, usable);
    marker->names = !part.is_metadata && !part.is_task;
    marker->reading = block;
    for (uintptr_t at = part.start; at + 8 <= part.end; at += 8)
        if (gp_raw_part_counts(&part, marker->index, *(const uintptr_t *)at))
            reach_word(marker, *(const uintptr_t *)at, true);
    marker->names = false;
}

static void scan_block(gp_marker *marker, uintptr_t block, unsigned slack) {
    size_t usable = gp_block_usable(block);
    const gp_kind *kind = gp_object_kind_at(block, usable);
    uintptr_t end = block + gp_object_extent_with(slack, block, usable, kind);
    if (kind->kind < 0)
        scan_raw(marker, block, end, usable);
    else
        scan_object(marker, block, end, usable, kind);
    if (marker->look)
        marker->look(block, end, marker->look_context);
}

// Blocks wait in a short queue after their memory was asked for: the processor fetches it while others are scanned.
void gp_mark_follow(gp_marker *marker) {
    uintptr_t queue[AHEAD] = {0};
    size_t waiting = 0;
    for (size_t turn = 0;; turn++) {
        if (marker->depth == 0 && waiting == 0)
            flush_pending(marker);
        if (marker->depth == 0 && waiting == 0)
            break;
        uintptr_t *place = &queue[turn % AHEAD];
        uintptr_t block = *place;
        *place = 0;
        if (marker->depth > 0) {
            *place = marker->stack[--marker->depth];
            __builtin_prefetch((const void *)(*place - 16));
            __builtin_prefetch((const void *)(*place + 32));
            waiting++;
        }
        if (block) {
            waiting--;
            scan_block(marker, block & ~(uintptr_t)15, block & 3);
        }
        if (marker->progress && turn % PROGRESS_STEP == 0)
            atomic_fetch_add(marker->progress, 1);
    }
}
