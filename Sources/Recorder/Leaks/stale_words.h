// Words that hold nothing although they may look like pointers: what whoever used the memory before has left in it, and
// numbers. Taken for pointers they would hide leaks. Each filter knows one kind of them; the rest of the analysis asks only
// what is declared here.
//
//     system_frames   in the frames that end the program: all but the registers that they have saved
//     ended_stacks    in the stacks of threads that have ended
//     parked_threads  in the stacks of libdispatch's workers that wait for work
//     dispatch_cache  in the continuations that libdispatch keeps for later
//     runtime_tables  behind the elements of the Swift runtime's tables
//     stale_words     in buffers of libc's streams and what the Swift runtime allocates with room, as holders of a cycle
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "roots.h"

// Looks where such words stand in the frozen process, once, and has `roots` leave out those of stacks. Its map, index,
// threads and caller are filled in. For the frozen child: keeps what it finds in one place.
void gp_stale_words_find(gp_roots *roots);

// By block: memory in which a word without a count is no proof that something is in use. NULL: no memory.
uint64_t *gp_stale_room_find(const gp_roots *roots);
