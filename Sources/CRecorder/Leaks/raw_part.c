// The filters of blocks without a type.
#include "metadata.h"
#include "runtime_tables.h"
#include "side_table.h"
#include "stale_words.h"
#include "task_slab.h"

gp_raw_part gp_raw_part_of(const gp_block_index *index, uintptr_t block, uintptr_t end, size_t usable) {
    gp_raw_part part = {.start = block, .end = gp_runtime_table_end(block, end)};
    part.is_task = gp_is_task_slab(index, block, part.end);
    if (part.is_task)
        part.end = gp_task_slab_end(block);
    if (gp_is_side_table(index, block, usable))
        part.start += 8;
    part.is_metadata = gp_block_is_metadata_slab(block, part.end - block);
    return part;
}
