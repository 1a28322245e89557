// Type ids: one number for each metadata address, given once, with its records in the trace. The frozen child of a
// snapshot learns types too, so what is known lies in memory that it shares with the recorded process.
#include "swift_types.h"

#include "../recorder/system.h"
#include "TraceFormat.h"
#include "images.h"
#include "metadata.h"
#include "thread.h"
#include "trace_writer.h"

// Open addressing. An entry's word is set once; its id follows when its records are written.
enum { TABLE_ENTRIES = 1 << 16, TYPES = 1 << 16, NAME_BYTES = 1024 };

typedef struct {
    uintptr_t word;
    uint32_t id;
    uint32_t size;  // the least size of a block of this type
} entry;

typedef struct {
    entry entries[TABLE_ENTRIES];
    uintptr_t metadata[TYPES];  // by id
    uint32_t last_id;
} type_table;

static type_table *shared;

// Made at the first sight of a type. NULL: no memory.
static type_table *table(void) {
    type_table *present = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (__builtin_expect(present != NULL, 1)) {
        return present;
    }
    long made = gp_system(mmap, 0, sizeof(type_table), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made < 0 && made > -4096) {
        return NULL;
    }
    if (__atomic_compare_exchange_n(&shared, &present, (type_table *)made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return (type_table *)made;
    }
    gp_system(munmap, made, sizeof(type_table));
    return present;
}

static void keep_metadata(uint32_t id, uintptr_t metadata) {
    if (id < TYPES) {
        __atomic_store_n(&shared->metadata[id], metadata, __ATOMIC_RELEASE);
    }
}

uintptr_t gp_type_metadata(uint32_t id) {
    type_table *types = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    return types == NULL || id >= TYPES ? 0 : __atomic_load_n(&types->metadata[id], __ATOMIC_ACQUIRE);
}

static void write_records(struct gp_thread *thread, uint32_t id, int kind, uintptr_t metadata) {
    gp_type type = {
        .kind = GP_TYPE,
        .metadata_high = (uint16_t)(metadata >> 32),
        .metadata_low = (uint32_t)metadata,
        .id = id,
    };
    gp_write_cell(thread, &type);
    char name[NAME_BYTES];
    size_t length = kind == GP_TYPE_LOCAL ? 0 : gp_type_name_of(metadata, name, sizeof name);
    gp_type_name record = {
        .header = {.kind = GP_TYPE_NAME, .flags = (uint8_t)kind},
        .metadata = metadata,
        .descriptor = kind == GP_TYPE_LOCAL ? gp_word_at(metadata + 16) : gp_metadata_descriptor(metadata),
        .destroy = gp_word_at(metadata - 16),
    };
    // The reader resolves these addresses by the images, which therefore come first.
    gp_image_find(thread, record.destroy);
    gp_write_record(thread, &record, sizeof record, name, length);
}

static uint32_t least_size(int kind, uintptr_t metadata) {
    return kind == GP_TYPE_CLASS ? gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE) : GP_OBJECT_HEADER;
}

static entry *entry_of(uintptr_t word) {
    type_table *types = table();
    uint32_t start = (uint32_t)((word * 0x9e3779b97f4a7c15ull) >> 48);
    for (uint32_t probe = 0; types != NULL && probe < TABLE_ENTRIES; probe++) {
        entry *candidate = &types->entries[(start + probe) % TABLE_ENTRIES];
        uintptr_t present = __atomic_load_n(&candidate->word, __ATOMIC_ACQUIRE);
        if (present == word || present == 0) {
            return candidate;
        }
    }
    return NULL;
}

static uint32_t new_id(struct gp_thread *thread, entry *place, uintptr_t word, int kind) {
    uintptr_t present = 0;
    while (!__atomic_compare_exchange_n(&place->word, &present, word, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        if (present == word) {
            // Another thread is about to write the records: without its id this block stays without a type.
            return __atomic_load_n(&place->id, __ATOMIC_ACQUIRE);
        }
        place = entry_of(word);
        if (place == NULL) {
            return 0;
        }
        present = 0;
    }
    uint32_t id = __atomic_add_fetch(&shared->last_id, 1, __ATOMIC_RELAXED);
    place->size = least_size(kind, word);
    keep_metadata(id, word);
    __atomic_store_n(&place->id, id, __ATOMIC_RELEASE);
    write_records(thread, id, kind, word);
    return id;
}

uint32_t gp_type_id_slow(struct gp_thread *thread, uintptr_t word, size_t size) {
    entry *place = entry_of(word);
    if (place == NULL) {
        return 0;
    }
    gp_type_cache_line *line = thread == NULL ? NULL : gp_type_cache_line_of(&thread->types, word);
    if (__atomic_load_n(&place->word, __ATOMIC_ACQUIRE) != word) {
        int kind = gp_type_kind(word, size);
        if (kind < 0) {
            // Vtables of C++ and the like stay what they are; an address in the heap may become metadata later.
            if (line != NULL && gp_address_is_readable_image(word, 8) && gp_word_at(word) != GP_KIND_CLASS) {
                *line = (gp_type_cache_line){.word = word};
            }
            return 0;
        }
        if (thread == NULL) {
            return 0;
        }
        new_id(thread, place, word, kind);
        place = entry_of(word);
    }
    uint32_t id = __atomic_load_n(&place->id, __ATOMIC_ACQUIRE);
    if (id == 0 || size < place->size) {
        return 0;
    }
    if (line != NULL) {
        *line = (gp_type_cache_line){.word = word, .id = id, .size = place->size};
    }
    return id;
}

uint32_t gp_type_id(struct gp_thread *thread, uintptr_t word, size_t size) {
    if (thread != NULL) {
        return gp_type_id_cached(thread, &thread->types, word, size);
    }
    return (word & 7) != 0 || word < 65536 || word >> 47 != 0 ? 0 : gp_type_id_slow(NULL, word, size);
}
