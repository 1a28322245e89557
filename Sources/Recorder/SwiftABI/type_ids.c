// Type ids: one number for each metadata address, given once, with its records in the trace. The frozen child of a
// snapshot learns types too, so what is known lies in memory that it shares with the recorded process.
#include "arch.h"
#include "swift_types.h"

#include <string.h>

#include "Figures.h"
#include "key_table.h"
#include "system.h"
#include "TraceFormat.h"
#include "images.h"
#include "metadata.h"
#include "thread.h"
#include "trace_writer.h"

// An entry's word is set once; its id follows when its records are written.
enum { TABLE_ENTRIES = 1 << 16, TYPES = 1 << 16, NAME_BYTES = 1024, ALL_NAMES_BYTES = 8 << 20 };

typedef struct {
    uint64_t word;
    uint32_t id;
    uint32_t size;  // the least size of a block of this type
} entry;

typedef struct {
    entry entries[TABLE_ENTRIES];
    uintptr_t metadata[TYPES];  // by id
    uint32_t last_id;
    // By id: where its kind stands, and behind it its name with a NUL. 0: it is not kept.
    uint32_t name_at[TYPES];
    uint32_t names_used;
    char names[ALL_NAMES_BYTES];
} type_table;

static type_table *shared;

// Made at the first sight of a type. NULL: no memory.
static type_table *table(void) {
    type_table *present = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (__builtin_expect(present != NULL, 1))
        return present;
    long made =
        gp_system_map(sizeof(type_table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made < 0 && made > -4096)
        return NULL;
    if (__atomic_compare_exchange_n(&shared, &present, (type_table *)made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return (type_table *)made;
    gp_system(munmap, made, sizeof(type_table));
    return present;
}

static void keep_metadata(uint32_t id, uintptr_t metadata) {
    if (id < TYPES)
        __atomic_store_n(&shared->metadata[id], metadata, __ATOMIC_RELEASE);
}

uintptr_t gp_type_metadata(uint32_t id) {
    type_table *types = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    return types == NULL || id >= TYPES ? 0 : __atomic_load_n(&types->metadata[id], __ATOMIC_ACQUIRE);
}

// The image that holds the metadata may be unloaded later: only the name outlives it.
static void keep_name(uint32_t id, int kind, const char *name, size_t length) {
    if (id < TYPES && __atomic_load_n(&shared->name_at[id], __ATOMIC_RELAXED))
        return;
    const uint32_t at = __atomic_fetch_add(&shared->names_used, (uint32_t)length + 2, __ATOMIC_RELAXED) + 1;
    if (id >= TYPES || at > ALL_NAMES_BYTES - (length + 2))
        return;
    shared->names[at] = (char)kind;
    memcpy(&shared->names[at + 1], name, length);
    __atomic_store_n(&shared->name_at[id], at, __ATOMIC_RELEASE);
}

int gp_figures_type_name(uint32_t id, char *name, size_t capacity) {
    const type_table *types = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    const uint32_t at = types && id < TYPES ? __atomic_load_n(&types->name_at[id], __ATOMIC_ACQUIRE) : 0;
    const size_t length = at ? strnlen(&types->names[at + 1], capacity - 1) : 0;
    if (length)
        memcpy(name, &types->names[at + 1], length);
    name[length] = 0;
    return at ? types->names[at] : -1;
}

static uintptr_t superclass_of(uintptr_t class) {
    const uintptr_t super = gp_word_at(class + GP_CLASS_SUPERCLASS);
    return super != 0 && gp_metadata_is_readable(super) && gp_metadata_is_class(super) ? super : 0;
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
    keep_name(id, kind, name, length);
    gp_type_name record = {
        .header = {.kind = GP_TYPE_NAME, .flags = (uint8_t)kind},
        .metadata = metadata,
        .descriptor = kind == GP_TYPE_LOCAL ? gp_word_at(metadata + 16) : gp_metadata_descriptor(metadata),
        .destroy = kind == GP_TYPE_CLASS ? superclass_of(metadata) : gp_word_at(metadata - 16),
    };
    // The reader resolves these addresses by the images, which therefore come first.
    gp_image_find(thread, record.destroy);
    gp_write_record(thread, &record, sizeof record, name, length);
}

static uint32_t least_size(int kind, uintptr_t metadata) {
    return kind == GP_TYPE_CLASS ? gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE) : GP_OBJECT_HEADER;
}

// From the root down, so that no record is written while another one is.
static void number_superclasses(struct gp_thread *thread, uintptr_t class) {
    uintptr_t supers[32];
    unsigned count = 0;
    for (class = superclass_of(class); class != 0 && count < 32; class = superclass_of(class))
        supers[count++] = class;
    while (count > 0)
        gp_type_id(thread, supers[--count], SIZE_MAX);
}

// Another thread may be about to write the records: without its id this block stays without a type.
static entry *entry_with_id(struct gp_thread *thread, type_table *types, uintptr_t word, int kind) {
    bool is_new;
    entry *place = gp_key_entry(GP_KEY_TABLE(types->entries), word, true, &is_new);
    if (!is_new)
        return place;
    uint32_t id = __atomic_add_fetch(&shared->last_id, 1, __ATOMIC_RELAXED);
    place->size = least_size(kind, word);
    keep_metadata(id, word);
    __atomic_store_n(&place->id, id, __ATOMIC_RELEASE);
    if (kind == GP_TYPE_CLASS)
        number_superclasses(thread, word);
    write_records(thread, id, kind, word);
    return place;
}

uint32_t gp_type_last_id(void) {
    const type_table *types = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    return types ? __atomic_load_n(&types->last_id, __ATOMIC_RELAXED) : 0;
}

void gp_types_begin_in_child(void) {
    type_table *const of_parent = shared;
    shared = NULL;
    if (of_parent)
        gp_system(munmap, of_parent, sizeof *of_parent);
}

void gp_types_write_again(struct gp_thread *thread, uint32_t id) {
    for (const uint32_t last = gp_type_last_id(); id++ < last;) {
        const uintptr_t metadata = gp_type_metadata(id);
        const int kind = metadata ? gp_type_kind(metadata, SIZE_MAX) : -1;
        if (kind >= 0)
            write_records(thread, id, kind, metadata);
    }
}

uint32_t gp_type_id_slow(struct gp_thread *thread, uintptr_t word, size_t size) {
    type_table *types = table();
    if (types == NULL || word == 0)
        return 0;
    gp_type_cache_line *line = thread == NULL ? NULL : gp_type_cache_line_of(gp_thread_types(thread), word);
    const entry *place = gp_key_find(GP_KEY_TABLE(types->entries), word);
    if (place == NULL) {
        int kind = gp_type_kind(word, size);
        if (kind < 0) {
            // Vtables of C++ and the like stay what they are; an address in the heap may become metadata later.
            if (line != NULL && gp_address_is_readable_image(word, 8) && gp_word_at(word) != GP_KIND_CLASS)
                *line = (gp_type_cache_line){.word = word};
            return 0;
        }
        if (thread == NULL)
            return 0;
        place = entry_with_id(thread, types, word, kind);
    }
    uint32_t id = place == NULL ? 0 : __atomic_load_n(&place->id, __ATOMIC_ACQUIRE);
    if (id == 0 || size < place->size)
        return 0;
    if (line != NULL)
        *line = (gp_type_cache_line){.word = word, .id = id, .size = place->size};
    return id;
}

uint32_t gp_type_id(struct gp_thread *thread, uintptr_t word, size_t size) {
    if (thread != NULL)
        return gp_type_id_cached(thread, gp_thread_types(thread), word, size);
    return (word & 7) != 0 || word < 65536 || word >> GP_USER_BITS != 0 ? 0 : gp_type_id_slow(NULL, word, size);
}
