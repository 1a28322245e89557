// References of any Swift object, by what kind of object its first word says it is.
#include "references.h"

#include "TraceFormat.h"
#include "metadata.h"
#include "reference_plan.h"
#include "swift_types.h"
#include "walk.h"

enum { KINDS = 1 << 13, PROBES = 8 };

// Kinds already told apart. An entry's word is set once, its kind follows.
static struct {
    uintptr_t word;
    uint32_t kind;  // GP_TYPE_* + 1, 0: not yet known
    uint32_t size;  // the least size of such a block
} kinds[KINDS];

static int kind_of(uintptr_t word, size_t size) {
    uint32_t start = (uint32_t)((word * 0x9e3779b97f4a7c15ull) >> 51);
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        uint32_t i = (start + probe) % KINDS;
        uintptr_t present = __atomic_load_n(&kinds[i].word, __ATOMIC_ACQUIRE);
        if (present == word) {
            uint32_t kind = __atomic_load_n(&kinds[i].kind, __ATOMIC_ACQUIRE);
            return kind == 0 ? gp_type_kind(word, size) : size < kinds[i].size ? -1 : (int)kind - 1;
        }
        if (present != 0) {
            continue;
        }
        int kind = gp_type_kind(word, size);
        if (kind >= 0 &&
            __atomic_compare_exchange_n(&kinds[i].word, &present, word, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            kinds[i].size = kind == GP_TYPE_CLASS ? gp_u32_at(word + GP_CLASS_INSTANCE_SIZE) : GP_OBJECT_HEADER;
            __atomic_store_n(&kinds[i].kind, (uint32_t)kind + 1, __ATOMIC_RELEASE);
        }
        return kind;
    }
    return gp_type_kind(word, size);
}

gp_decoded gp_references(uintptr_t object, size_t size, gp_decode_mode mode, gp_reference_visitor visit,
                         void *context) {
    uintptr_t metadata = gp_word_at(object);
    int kind = kind_of(metadata, size);
    if (kind < 0) {
        return GP_DECODED_NONE;
    }
    gp_walk walk;
    walk.object = object;
    walk.size = size;
    walk.mode = mode;
    walk.visit = visit;
    walk.context = context;
    walk.whole = true;
    walk.guessed = false;
    walk.label_kind = GP_LABEL_NONE;
    walk.position = 0;
    walk.declared_type = 0;
    walk.depth = 0;
    walk.path = gp_text_in(walk.label, sizeof walk.label);
    switch (kind) {
    case GP_TYPE_CLASS:
        gp_walk_class(&walk, metadata);
        break;
    case GP_TYPE_LOCAL:
        gp_walk_local(&walk, metadata);
        break;
    case GP_TYPE_GENERIC_BOX:
        gp_walk_generic_box(&walk, metadata);
        break;
    case GP_TYPE_ERROR:
        gp_walk_error(&walk);
        break;
    default:
        gp_walk_task(&walk);
    }
    return walk.whole ? GP_DECODED_ALL : GP_DECODED_PART;
}

gp_reference_plan gp_plan_of(uintptr_t metadata, int kind) {
    switch (kind) {
    case GP_TYPE_CLASS:
        return gp_class_plan(metadata);
    case GP_TYPE_LOCAL:
        return gp_local_plan(metadata);
    default:
        return (gp_reference_plan){.fixed = false};
    }
}
