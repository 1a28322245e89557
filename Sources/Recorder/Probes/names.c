#include "probe_calls.h"

#include <stdatomic.h>
#include <string.h>

#include "TraceFormat.h"
#include "spool.h"
#include "arena.h"
#include "key_table.h"
#include "thread.h"
#include "trace_writer.h"

// A name that finds no place near its own is dropped, and the loss is reported once.
enum { GP_NAMES = 1 << 13, GP_NAME_TRIES = 64 };

typedef struct {
    size_t length;
    uint8_t text[];
} gp_interned;

static uint64_t known[GP_NAMES];  // addresses of names
static _Atomic(gp_interned *) interned[GP_NAMES];

static void write_name(gp_thread *thread, uint32_t number, const uint8_t *name, size_t length) {
    gp_probe_name record = {.header.kind = GP_PROBE_NAME, .id = number};
    gp_write_record(thread, &record, sizeof record, name,
                    length < GP_PROBE_NAME_LONGEST ? length : GP_PROBE_NAME_LONGEST);
}

static void tell_loss(gp_thread *thread) {
    static _Atomic bool reported;
    static const char sentence[] = "Probes have more than 8,000 names: the rest is not recorded.";
    gp_spool_drop(1);
    if (atomic_exchange(&reported, true))
        return;
    gp_loss record = {.header.kind = GP_LOSS};
    gp_write_record(thread, &record, sizeof record, sentence, sizeof sentence - 1);
}

uint32_t gp_probe_number(gp_thread *thread, const uint8_t *name, size_t length) {
    bool is_new = false;
    const uint64_t *entry = name ? gp_key_entry(GP_KEY_TABLE(known), (uintptr_t)name, true, &is_new) : NULL;
    if (!entry) {
        tell_loss(thread);
        return 0;
    }
    const uint32_t number = (uint32_t)(entry - known) + 1;
    if (is_new)
        write_name(thread, number, name, length);
    return number;
}

static gp_interned *copy(const uint8_t *text, size_t length) {
    gp_interned *entry = gp_arena_allocate(sizeof *entry + length);
    if (!entry)
        return NULL;
    entry->length = length;
    memcpy(entry->text, text, length);
    return entry;
}

static bool is_text(const gp_interned *entry, const uint8_t *text, size_t length) {
    return entry && entry->length == length && memcmp(entry->text, text, length) == 0;
}

const uint8_t *gp_probe_intern(const uint8_t *text, size_t length) {
    if (length > GP_PROBE_NAME_LONGEST)
        length = GP_PROBE_NAME_LONGEST;
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ text[i]) * 0x100000001b3ul;
    gp_interned *fresh = NULL;
    for (uint64_t i = 0, slot = hash * 0x9e3779b97f4a7c15ul >> 32; i < GP_NAME_TRIES; i++, slot++) {
        gp_interned *there = atomic_load(&interned[slot % GP_NAMES]);
        if (!there) {
            if (!fresh)
                fresh = copy(text, length);
            if (!fresh || atomic_compare_exchange_strong(&interned[slot % GP_NAMES], &there, fresh))
                return fresh ? fresh->text : NULL;
        }
        if (is_text(there, text, length))
            return there->text;
    }
    return NULL;
}
