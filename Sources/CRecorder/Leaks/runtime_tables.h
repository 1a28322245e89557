// The tables in which the Swift runtime notes metadata and conformances (ConcurrentReadableHashMap). Their memory has room
// for more elements than they hold: what stands there was left by the memory's last owner and names nothing.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "roots.h"

// Looks for tables in the data of an image and remembers how full they are. A visitor of gp_roots_each_lasting; `index`:
// a gp_block_index. For the frozen child: keeps its state in one place.
void gp_runtime_tables_note(const gp_root_words *words, void *index);

// Where the elements of the table at `block` end; `end` when no table lies there. `end`: of what was asked for.
uintptr_t gp_runtime_table_end(uintptr_t block, uintptr_t end);
