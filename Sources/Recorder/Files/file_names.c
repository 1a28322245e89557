#include "file_names.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "TraceFormat.h"
#include "interned.h"
#include "trace_writer.h"

// Beyond these a name is one of "further files" of its kind.
enum { GP_FILE_PLACES = 1 << 17, GP_FILE_NAMES_MOST = 1 << 16 };

static _Atomic(gp_interned *) places[GP_FILE_PLACES];
static _Atomic(const char *) names[GP_FILE_NAMES_MOST + 1];
static _Atomic bool has_further[256];

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

uint32_t gp_file_number(struct gp_thread *thread, uint8_t kind, const char *name) {
    static gp_intern_table table = {.places = places, .place_count = GP_FILE_PLACES, .most = GP_FILE_NAMES_MOST};
    const size_t length = strnlen(name, GP_FILE_NAME_LONGEST);
    bool is_new;
    const gp_interned *file = gp_intern(&table, kind, name, length, &is_new);
    if (!file)
        return further(thread, kind);
    if (is_new) {
        atomic_store(&names[file->number], file->text);
        write_name(thread, file->number, kind, name, length);
    }
    return file->number;
}

const char *gp_file_name_of(uint32_t number) {
    return number <= GP_FILE_NAMES_MOST ? atomic_load(&names[number]) : NULL;
}

void gp_file_names_write_again(struct gp_thread *thread) {
    memset((void *)has_further, 0, sizeof has_further);
    const char *name;
    for (uint32_t number = 1; number <= GP_FILE_NAMES_MOST && (name = gp_file_name_of(number)); number++) {
        const gp_interned *const file = (const gp_interned *)(const void *)(name - offsetof(gp_interned, text));
        write_name(thread, number, (uint8_t)file->kind, name, file->length);
    }
}
