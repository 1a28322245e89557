// Kinds 0x502 and 0x503: tasks and jobs. Their allocators leave stale words behind, so no word is a sure reference.
#include "TraceFormat.h"
#include "metadata.h"
#include "walk.h"

void gp_walk_task(gp_walk *walk) {
    walk->label_kind = GP_LABEL_TASK;
    gp_walk_unknown(walk, walk->object + GP_OBJECT_HEADER, walk->object + walk->size);
}
