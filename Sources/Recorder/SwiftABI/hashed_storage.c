// The storage of dictionaries and sets: a bitmap of occupied buckets, then keys and values, or elements.
#include "TraceFormat.h"
#include "context_descriptor.h"
#include "images.h"
#include "live_table.h"
#include "metadata.h"
#include "walk.h"

enum { COUNT = 16, CAPACITY = 24, SCALE = 32, KEYS = 48, VALUES = 56, BITMAP_OF_DICTIONARY = 64, BITMAP_OF_SET = 56 };

bool gp_hash_table_of(uintptr_t object, uint64_t size, uint32_t bitmap, gp_hash_table *table) {
    uint8_t scale = *(const uint8_t *)(object + SCALE);
    if (scale > 40)
        return false;
    table->bitmap = object + bitmap;
    table->buckets = (uint64_t)1 << scale;
    return bitmap + 8 * ((table->buckets + 63) / 64) <= size;
}

bool gp_hash_table_has(const gp_hash_table *table, uint64_t bucket) {
    return (gp_word_at(table->bitmap + 8 * (bucket / 64)) >> (bucket % 64)) & 1;
}

enum { STRING_BIAS = 32, MOST_BYTES = 64 };

static void append_string(gp_text *text, uintptr_t address) {
    uint64_t low = gp_word_at(address), high = gp_word_at(address + 8);
    unsigned discriminator = (unsigned)(high >> 56);
    if ((discriminator & 0xa0) == 0xa0) {  // small: 15 bytes in place, the count in the highest nibble's neighbour
        gp_text_append_bytes(text, (const char *)address, discriminator & 15);
        return;
    }
    uint64_t count = low & 0x0000ffffffffffff;
    uintptr_t bytes = (high & 0x00ffffffffffffff) + STRING_BIAS;
    gp_block block;
    bool native = gp_live_get(bytes - STRING_BIAS, &block) && count + STRING_BIAS <= block.size;
    if ((discriminator & 0x10) == 0 && (native || gp_address_is_readable_image(bytes, count)))
        gp_text_append_bytes(text, (const char *)bytes, count < MOST_BYTES ? count : MOST_BYTES);
}

// Appends the key at `address` of type `metadata` if it is a string or an integer.
static void append_key(gp_text *text, uintptr_t metadata, uintptr_t address) {
    uintptr_t descriptor = gp_metadata_is_readable(metadata) ? gp_metadata_descriptor(metadata) : 0;
    if (descriptor == 0)
        return;
    if (gp_context_is(descriptor, "Swift", "String"))
        append_string(text, address);
    else if (gp_context_is(descriptor, "Swift", "Int"))
        gp_text_append_number(text, (long long)gp_word_at(address));
}

void gp_walk_dictionary_storage(gp_walk *walk, uintptr_t metadata) {
    uintptr_t arguments = gp_metadata_arguments(metadata);
    gp_hash_table table;
    if (arguments == 0 || !gp_hash_table_of(walk->object, walk->size, BITMAP_OF_DICTIONARY, &table)) {
        gp_walk_unknown(walk, walk->object + KEYS, walk->object + walk->size);
        return;
    }
    uintptr_t key = gp_word_at(arguments), value = gp_word_at(arguments + 8);
    const gp_layout *key_layout = gp_layout_of_metadata(key), *value_layout = gp_layout_of_metadata(value);
    uint32_t key_stride = gp_stride_of(key), value_stride = gp_stride_of(value);
    uintptr_t keys = gp_word_at(walk->object + KEYS), values = gp_word_at(walk->object + VALUES);
    if (key_layout == NULL || value_layout == NULL || !gp_walk_holds(walk, keys, table.buckets, key_stride) ||
        !gp_walk_holds(walk, values, table.buckets, value_stride)) {
        gp_walk_unknown(walk, walk->object + BITMAP_OF_DICTIONARY, walk->object + walk->size);
        return;
    }
    for (uint64_t bucket = 0; bucket < table.buckets; bucket++) {
        if (!gp_hash_table_has(&table, bucket))
            continue;
        walk->position = (uint32_t)bucket;
        walk->label_kind = GP_LABEL_KEY;
        gp_walk_steps(walk, key_layout->steps, keys + bucket * key_stride);
        walk->label_kind = GP_LABEL_VALUE;
        size_t mark = walk->path.length;
        if (walk->mode == GP_DECODE_LABELS) {
            append_key(&walk->path, key, keys + bucket * key_stride);
            walk->key_end = walk->path.length;
        }
        gp_walk_steps(walk, value_layout->steps, values + bucket * value_stride);
        gp_walk_leave(walk, mark);
    }
}

void gp_walk_set_storage(gp_walk *walk, uintptr_t metadata) {
    uintptr_t arguments = gp_metadata_arguments(metadata);
    gp_hash_table table;
    uintptr_t type = arguments == 0 ? 0 : gp_word_at(arguments);
    const gp_layout *element = type == 0 ? NULL : gp_layout_of_metadata(type);
    uint32_t stride = type == 0 ? 0 : gp_stride_of(type);
    uintptr_t elements = gp_word_at(walk->object + KEYS);
    if (element == NULL || !gp_hash_table_of(walk->object, walk->size, BITMAP_OF_SET, &table) ||
        !gp_walk_holds(walk, elements, table.buckets, stride)) {
        gp_walk_unknown(walk, walk->object + KEYS, walk->object + walk->size);
        return;
    }
    walk->label_kind = GP_LABEL_ELEMENT;
    for (uint64_t bucket = 0; bucket < table.buckets; bucket++) {
        if (gp_hash_table_has(&table, bucket)) {
            walk->position = (uint32_t)bucket;
            gp_walk_steps(walk, element->steps, elements + bucket * stride);
        }
    }
}

bool gp_hashed_room(uintptr_t object, size_t size, gp_storage_room *room) {
    const uint64_t count = gp_word_at(object + COUNT), capacity = gp_word_at(object + CAPACITY);
    gp_hash_table table;
    if (!gp_hash_table_of(object, size, BITMAP_OF_SET, &table) || count > capacity || capacity > table.buckets)
        return false;
    *room =
        (gp_storage_room){.start = object, .end = object + size, .unused = capacity - count, .places = table.buckets};
    return true;
}
