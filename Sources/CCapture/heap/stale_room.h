// Memory of the C library and of the Swift runtime that has room: what stands there unused shows what was in the memory
// before, so that its words are no pointers which hold anything.
#ifndef GP_STALE_ROOM_H
#define GP_STALE_ROOM_H

#include <stdint.h>

#include "roots.h"

// By block: buffers of libc's streams, and memory without a type that globals of a shared Swift runtime lead to in one or two
// steps. NULL: no memory. The tables of a runtime that is linked into the program are not told from the program's memory.
uint64_t *gp_stale_room_find(const gp_roots *roots);

#endif
