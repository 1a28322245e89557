// What the program can name by itself: data of every image, other memory it mapped, stacks, registers and thread-local
// storage of every thread. What the kernel keeps for it stands in the kernel's texts (kernel_texts.h).
//
// Memory that the program maps for itself counts as a root because an allocator of its own may keep references there
// (CPython's arenas do), memory that it shares among processes too. Left out: the heap that grows by brk(), stacks below their
// stack pointer, the recorder's memory. Other memory of the C allocator's and stacks of ended threads are what mapped memory has
// in it: whoever searches tells them apart (MallocWalk.swift, EndedStacks.swift).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "exited_main_stack.h"
#include "memory_map.h"
#include "stop_threads.h"

typedef struct gp_system_frames gp_system_frames;

typedef struct {
    const gp_memory_map *map;
    const gp_stopped_threads *threads;
    const gp_stopped_thread *caller;  // sp: what lies below is dead
    uint32_t process;  // its process id, which the main thread shares
    const gp_system_frames *system_frames;  // of the caller, NULL: not told apart
} gp_roots;

// A run of words that the program can name.
typedef struct {
    uint8_t kind;  // GP_ROOT_*; for registers the words are copies, in the order of gp_stopped_thread
    bool next_chunks;  // words that name the header of the chunk behind a block are the allocator's own
    uint32_t thread;  // of stacks and registers
    uintptr_t start, end;
} gp_root_words;

typedef void (*gp_root_visitor)(const gp_root_words *words, void *context);

// Visits what stays while functions come and go: globals, mapped memory.
void gp_roots_each_lasting(const gp_roots *roots, gp_root_visitor visit, void *context);

// Visits the stacks, with the thread-local storage above them, and the registers of all threads; the stack that the main
// thread has left.
void gp_roots_each_passing(const gp_roots *roots, gp_root_visitor visit, void *context);
