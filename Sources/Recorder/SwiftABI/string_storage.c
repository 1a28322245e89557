// String storage: text, behind which breadcrumbs for UTF-16 offsets may be kept.
#include "TraceFormat.h"
#include "walk.h"
#include "word.h"

enum { CAPACITY = 16, TEXT = 32 };
static const uint64_t HAS_BREADCRUMBS = (uint64_t)1 << 63;
static const uint64_t CAPACITY_BITS = 0x0000ffffffffffff;

void gp_walk_string_storage(gp_walk *walk, uintptr_t metadata) {
    (void)metadata;
    uint64_t capacity = gp_word_at(walk->object + CAPACITY);
    if ((capacity & HAS_BREADCRUMBS) == 0)
        return;
    uintptr_t at = gp_align_up(walk->object + TEXT + (capacity & CAPACITY_BITS), 8);
    if (at + 8 > walk->object + walk->size) {
        walk->whole = false;
        return;
    }
    walk->label_kind = GP_LABEL_FIELD;
    size_t mark = gp_walk_enter(walk, "breadcrumbs");
    uintptr_t target = gp_word_at(at);
    if (target >= GP_LEAST_POINTER)
        gp_walk_report(walk, at, target, GP_OWN_STRONG, 0);
    gp_walk_leave(walk, mark);
}
