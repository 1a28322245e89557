#include "file_names.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "TraceFormat.h"
#include "arena.h"
#include "trace_writer.h"

// Beyond these a name is one of "further files" of its kind.
enum { GP_FILE_PLACES = 1 << 17, GP_FILE_NAMES_MOST = 1 << 16, GP_FILE_TRIES = 64 };

typedef struct {
    uint64_t hash;
    uint32_t number;
    uint8_t kind;
    char name[];
} gp_named_file;

static _Atomic(gp_named_file *) places[GP_FILE_PLACES];
static _Atomic(const char *) names[GP_FILE_NAMES_MOST + 1];
static _Atomic uint32_t count;
static _Atomic bool has_further[256];

static uint64_t hash_of(uint8_t kind, const char *name, size_t length) {
    uint64_t hash = 0xcbf29ce484222325ull ^ kind;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3ull;
    return hash;
}

static void write_name(struct gp_thread *thread, uint32_t number, uint8_t kind, const char *name, size_t length) {
    gp_file_name record = {.header = {.kind = GP_FILE_NAME, .flags = kind}, .id = number};
    gp_write_record(thread, &record, sizeof record, name, length);
}

static uint32_t further(struct gp_thread *thread, uint8_t kind) {
    static const char name[] = "(further ones)";
    const uint32_t number = GP_FILE_NAMES_MOST + 1 + kind;
    if (!atomic_exchange(&has_further[kind], true))
        write_name(thread, number, kind, name, sizeof name - 1);
    return number;
}

static gp_named_file *make(uint64_t hash, uint8_t kind, const char *name, size_t length) {
    if (atomic_load(&count) >= GP_FILE_NAMES_MOST)
        return NULL;
    gp_named_file *file = gp_arena_allocate(sizeof *file + length + 1);
    const uint32_t number = file ? atomic_fetch_add(&count, 1) + 1 : 0;
    if (!file || number > GP_FILE_NAMES_MOST)
        return NULL;
    file->hash = hash;
    file->number = number;
    file->kind = kind;
    memcpy(file->name, name, length);
    return file;
}

static bool is_same(const gp_named_file *file, uint64_t hash, uint8_t kind, const char *name, size_t length) {
    return file->hash == hash && file->kind == kind && strncmp(file->name, name, length) == 0 && !file->name[length];
}

uint32_t gp_file_number(struct gp_thread *thread, uint8_t kind, const char *name) {
    const size_t length = strnlen(name, GP_FILE_NAME_LONGEST);
    const uint64_t hash = hash_of(kind, name, length);
    gp_named_file *fresh = NULL;
    for (uint64_t i = 0, place = hash * 0x9e3779b97f4a7c15ull >> 32; i < GP_FILE_TRIES; i++, place++) {
        gp_named_file *there = atomic_load_explicit(&places[place % GP_FILE_PLACES], memory_order_acquire);
        if (!there) {
            if (!fresh && !(fresh = make(hash, kind, name, length)))
                break;
            if (atomic_compare_exchange_strong(&places[place % GP_FILE_PLACES], &there, fresh)) {
                atomic_store(&names[fresh->number], fresh->name);
                write_name(thread, fresh->number, kind, name, length);
                return fresh->number;
            }
        }
        if (is_same(there, hash, kind, name, length))
            return there->number;
    }
    return further(thread, kind);
}

const char *gp_file_name_of(uint32_t number) {
    return number <= GP_FILE_NAMES_MOST ? atomic_load(&names[number]) : NULL;
}
