// Dictionary storage: a bitmap of occupied buckets, then keys, then values.
#include "TraceFormat.h"
#include "hash_table.h"
#include "key_label.h"
#include "metadata.h"
#include "walk.h"

enum { KEYS = 48, VALUES = 56, BITMAP = 64 };

void gp_walk_dictionary_storage(gp_walk *walk, uintptr_t metadata) {
    uintptr_t arguments = gp_metadata_arguments(metadata);
    gp_hash_table table;
    if (arguments == 0 || !gp_hash_table_of(walk->object, walk->size, BITMAP, &table)) {
        gp_walk_unknown(walk, walk->object + KEYS, walk->object + walk->size);
        return;
    }
    uintptr_t key = gp_word_at(arguments), value = gp_word_at(arguments + 8);
    const gp_layout *key_layout = gp_layout_of_metadata(key), *value_layout = gp_layout_of_metadata(value);
    uint32_t key_stride = gp_stride_of(key), value_stride = gp_stride_of(value);
    uintptr_t keys = gp_word_at(walk->object + KEYS), values = gp_word_at(walk->object + VALUES);
    if (key_layout == NULL || value_layout == NULL || !gp_walk_holds(walk, keys, table.buckets, key_stride) ||
        !gp_walk_holds(walk, values, table.buckets, value_stride)) {
        gp_walk_unknown(walk, walk->object + BITMAP, walk->object + walk->size);
        return;
    }
    for (uint64_t bucket = 0; bucket < table.buckets; bucket++) {
        if (!gp_hash_table_has(&table, bucket)) {
            continue;
        }
        walk->position = (uint32_t)bucket;
        walk->label_kind = GP_LABEL_KEY;
        gp_walk_steps(walk, key_layout->steps, keys + bucket * key_stride);
        walk->label_kind = GP_LABEL_VALUE;
        size_t mark = walk->path.length;
        if (walk->mode == GP_DECODE_LABELS) {
            gp_append_key(&walk->path, key, keys + bucket * key_stride);
            walk->key_end = walk->path.length;
        }
        gp_walk_steps(walk, value_layout->steps, values + bucket * value_stride);
        gp_walk_leave(walk, mark);
    }
}
