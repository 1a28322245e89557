#include "label_table.h"

#include <string.h>

#include "swift_types.h"
#include "system.h"
#include "trace_writer.h"

enum { SLOTS = 1 << 16, LABELS_MAX = SLOTS / 2 };

bool gp_label_table_prepare(gp_label_table *table) {
    *table = (gp_label_table){.slots = gp_system_pages(SLOTS * sizeof *table->slots)};
    return table->slots != NULL;
}

// Without the key of a dictionary's value, which stands in front of its path.
static const char *path_of(const gp_reference *reference) {
    const char *label = reference->label ? reference->label : "";
    if (reference->label_kind != GP_LABEL_VALUE)
        return label;
    const char *end = strrchr(label, GP_KEY_END[0]);
    return end ? end + 1 : "";
}

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const gp_reference *reference, const char *path) {
    uint64_t hash = mixed(reference->label_kind, reference->function);
    hash = mixed(hash, reference->declared_type);
    for (; *path; path++)
        hash = mixed(hash, (uint8_t)*path);
    return hash | 1;
}

static void write_label(struct gp_thread *thread, uint32_t label, const gp_reference *reference, const char *path) {
    gp_heap_label record = {.header.kind = GP_HEAP_LABEL,
                            .label = label,
                            .label_kind = reference->label_kind,
                            .function = reference->function};
    if (reference->declared_type)
        record.declared_type = gp_type_id(thread, reference->declared_type, SIZE_MAX);
    gp_write_record(thread, &record, sizeof record, path, strlen(path));
}

uint32_t gp_label_id(gp_label_table *table, struct gp_thread *thread, const gp_reference *reference) {
    const char *path = path_of(reference);
    if (reference->label_kind == GP_LABEL_NONE && !*path && !reference->function)
        return 0;
    const uint64_t hash = hash_of(reference, path);
    uint32_t slot = (uint32_t)(hash >> 32) % SLOTS;
    while (table->slots[slot].hash && table->slots[slot].hash != hash)
        slot = (slot + 1) % SLOTS;
    if (!table->slots[slot].hash) {
        if (table->count == LABELS_MAX)
            return 0;
        table->slots[slot] = (gp_label_slot){hash, ++table->count};
        write_label(thread, table->count, reference, path);
    }
    return table->slots[slot].label;
}
