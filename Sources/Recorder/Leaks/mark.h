// Marking: which blocks a word of the roots leads to.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block_index.h"

enum { GP_MARK_PENDING = 32 };

typedef struct {
    const gp_block_index *index;
    uint64_t *marked;  // blocks that were reached
    // Objects that a word without a type reached first: roots, raw memory, tasks, words of no reference. Every other one
    // was reached by a reference of an owner.
    uint64_t *conservative;
    uint8_t *owners;  // by block: strong references at its exact address from marked objects, UINT8_MAX: that or more
    const uint64_t *proved;  // blocks that no word may reach: their counts prove that nothing owns them. NULL: none
    // Words in the range of the heap, whose place in the index and whose bits the processor fetches meanwhile.
    struct {
        uintptr_t word;  // 0: none
        uint32_t block;
        bool conservative;
    } pending[GP_MARK_PENDING];
    unsigned next;  // of `pending`
    uintptr_t *stack;  // blocks to be scanned, with their slack in the low bits; each is pushed once
    size_t depth;
    uint64_t *handled;  // of the object being scanned, by word: nothing more is to be done for it
    _Atomic uint32_t *progress;  // counted up now and then, NULL: not counted

    // Called with what each block holds that is scanned, NULL: nobody is.
    void (*look)(uintptr_t start, uintptr_t end, void *context);
    void *look_context;

    // Words that name the beginning of a proved block and are no counted reference, in pairs: the block that the word stands
    // in, GP_NO_BLOCK for a root, and the block that it names. Of roots only while `roots_name`; never words of tasks and
    // of memory that is known to keep stale ones.
    gp_number_list namings;
    bool roots_name;
    uintptr_t reading;  // the block whose words are read as names, 0: a root
    bool names, met;  // whether the words read count as such; whether a word met a proved block
} gp_marker;

// False: no memory.
bool gp_mark_prepare(gp_marker *marker, const gp_block_index *index);

// The same with what `other`, which has nothing left to scan, needs for scanning: one of them scans at a time.
bool gp_mark_prepare_like(gp_marker *marker, const gp_marker *other);

// Forgets what was marked; `proved` is what may not be reached from now on. The namings are kept.
void gp_mark_restart(gp_marker *marker, const uint64_t *proved);

// Marks what the words of [start, end) name. `next_chunks`: words that name the header of the chunk behind a block are
// the allocator's own, not references.
void gp_mark_range(gp_marker *marker, uintptr_t start, uintptr_t end, bool next_chunks);

// Marks the block, which starts at `start`, proved or not.
void gp_mark_block(gp_marker *marker, uint32_t block, uintptr_t start);

// Marks what one word names.
void gp_mark_word(gp_marker *marker, uintptr_t word);

// Follows all references until nothing new is found.
void gp_mark_follow(gp_marker *marker);
