// What the program can name by itself: data of every image, other memory it mapped, stacks, registers and thread-local
// storage of every thread, blocks of the dynamic linker, what the kernel keeps for it.
//
// Memory that the program maps for itself counts as a root because an allocator of its own may keep references there
// (CPython's arenas do), memory that it shares among processes too. Left out: the C allocator's own regions, stacks below
// their stack pointer, stacks of ended threads, the recorder's memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "block_index.h"
#include "exited_main_stack.h"
#include "mark.h"
#include "memory_map.h"
#include "stop_threads.h"
#include "system_frames.h"

typedef struct gp_ended_stacks gp_ended_stacks;

typedef struct {
    const gp_memory_map *map;
    const gp_block_index *index;
    const gp_stopped_threads *threads;
    const gp_stopped_thread *caller;  // sp: what lies below is dead
    uint32_t process;  // its process id, which the main thread shares
    const gp_system_frames *system_frames;  // of the caller, NULL: not told apart
    const gp_ended_stacks *ended;  // NULL: not known yet
} gp_roots;

// A run of words that the program can name.
typedef struct {
    uint8_t kind;  // GP_ROOT_*; for registers the words are copies, in the order of gp_stopped_thread
    bool next_chunks;  // words that name the header of the chunk behind a block are the allocator's own
    uint32_t thread;  // of stacks and registers
    const gp_exited_main_stack *left;  // the words are a copy of this stack's; NULL: they lie where they are used
    uintptr_t start, end;
} gp_root_words;

typedef void (*gp_root_visitor)(const gp_root_words *words, void *context);

// Visits what stays while functions come and go: globals, mapped memory, blocks of the dynamic linker, words in the kernel.
void gp_roots_each_lasting(const gp_roots *roots, gp_root_visitor visit, void *context);

// Visits the stacks, with the thread-local storage above them, and the registers of all threads; the stack that the main
// thread has left.
void gp_roots_each_passing(const gp_roots *roots, gp_root_visitor visit, void *context);

// Marks what the registers and stacks name of all threads but the caller and those that run no code of the program's.
// Does not follow references.
void gp_roots_mark_other_threads(const gp_roots *roots, gp_marker *marker);

// Marks from what gp_roots_each_lasting visits. Follows references as it goes.
void gp_roots_mark_lasting(const gp_roots *roots, gp_marker *marker);

// Marks from what gp_roots_each_passing visits. Follows references.
void gp_roots_mark_passing(const gp_roots *roots, gp_marker *marker);

// Marks from all roots.
void gp_roots_mark(const gp_roots *roots, gp_marker *marker);
