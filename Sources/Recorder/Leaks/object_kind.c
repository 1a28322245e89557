#include "object_kind.h"

#include "arch.h"
#include "system.h"
#include "TraceFormat.h"
#include "live_table.h"
#include "swift_types.h"

enum { VERDICTS = 1 << 16 };

static gp_kind *verdicts;

static gp_kind ask(uintptr_t word, size_t usable) {
    gp_kind kind = {.word = word, .kind = gp_type_kind(word, usable)};
    if (kind.kind == GP_TYPE_CLASS) {
        kind.instance_size = *(const uint32_t *)(word + 24);
        kind.is_key_path = gp_class_is_key_path(word);
    }
    if (kind.kind >= 0)
        kind.plan = gp_plan_of(word, kind.kind);
    return kind;
}

static bool is_plausible(uintptr_t word) {
    return word >= 4096 && !(word & 7) && !(word >> GP_USER_BITS);
}

const gp_kind *gp_object_kind_at(uintptr_t block, size_t usable) {
    static const gp_kind raw = {.kind = GP_KIND_RAW};
    static gp_kind fresh;
    uintptr_t word = *(const uintptr_t *)block;
    if (usable < 16 || !is_plausible(word))
        return &raw;
    if (!verdicts)
        verdicts = gp_system_pages(VERDICTS * sizeof *verdicts);
    gp_kind *verdict = verdicts ? &verdicts[(word >> 3) * 0x9e3779b97f4a7c15ull >> 48] : NULL;
    // The size decides too, and a raw block's first word may be anything: only what is an object is remembered.
    if (!verdict || verdict->word != word) {
        fresh = ask(word, usable);
        if (fresh.kind < 0 || !verdict)
            return &fresh;
        *verdict = fresh;
    }
    return verdict->instance_size <= usable ? verdict : &raw;
}

gp_kind gp_object_kind(uintptr_t block, size_t usable) {
    return *gp_object_kind_at(block, usable);
}

size_t gp_object_extent_with(unsigned slack, uintptr_t block, size_t usable, const gp_kind *kind) {
    gp_block known;
    size_t asked = usable - slack * 8;
    if (slack == GP_SLACK_LARGE)
        asked = gp_live_get(block, &known) && known.size < usable ? known.size : usable;
    const bool has_tail = kind->kind == GP_TYPE_CLASS && !kind->is_key_path && asked >= kind->instance_size + 8ul;
    return has_tail ? usable : asked;
}

size_t gp_object_extent(const gp_block_index *index, uintptr_t block, size_t usable, gp_kind kind) {
    uint32_t number = gp_index_exact(index, block);
    return gp_object_extent_with(number == GP_NO_BLOCK ? 0 : gp_index_slack(index, number), block, usable, &kind);
}

bool gp_word_names_object(const gp_block_index *index, uintptr_t word) {
    uintptr_t start = word;
    return gp_index_inside(index, word, &start) != GP_NO_BLOCK &&
           gp_object_kind_at(start, gp_block_usable(start))->kind >= 0;
}
