#include "probe_calls.h"

#include <stdatomic.h>

#include "TraceFormat.h"
#include "spool.h"
#include "interned.h"
#include "key_table.h"
#include "thread.h"
#include "trace_writer.h"

// A name that finds no place near its own is dropped, and the loss is reported once.
enum { GP_NAMES = 1 << 13 };

static struct {
    uint64_t address;
    size_t length;
} known[GP_NAMES];
static _Atomic(gp_interned *) interned[GP_NAMES];

static void write_name(gp_thread *thread, uint32_t number, const uint8_t *name, size_t length) {
    gp_probe_name record = {.header.kind = GP_PROBE_NAME, .id = number};
    gp_write_record(thread, &record, sizeof record, name,
                    length < GP_PROBE_NAME_LONGEST ? length : GP_PROBE_NAME_LONGEST);
}

static void tell_loss(gp_thread *thread) {
    static _Atomic bool reported;
    static const char sentence[] = "Probes have more than 8,000 names; probes with further names are not recorded.";
    gp_spool_drop(1);
    if (atomic_exchange(&reported, true))
        return;
    gp_loss record = {.header.kind = GP_LOSS};
    gp_write_record(thread, &record, sizeof record, sentence, sizeof sentence - 1);
}

uint32_t gp_probe_number(gp_thread *thread, const uint8_t *name, size_t length) {
    bool is_new = false;
    __typeof__(&known[0]) entry = name ? gp_key_entry(GP_KEY_TABLE(known), (uintptr_t)name, true, &is_new) : NULL;
    if (!entry) {
        tell_loss(thread);
        return 0;
    }
    const uint32_t number = (uint32_t)(entry - known) + 1;
    if (is_new) {
        entry->length = length;
        write_name(thread, number, name, length);
    }
    return number;
}

void gp_probe_names_write_again(gp_thread *thread) {
    for (uint32_t i = 0; i < GP_NAMES; i++)
        if (known[i].address)
            write_name(thread, i + 1, (const uint8_t *)known[i].address, known[i].length);
}

const uint8_t *gp_probe_intern(const uint8_t *text, size_t length) {
    static gp_intern_table table = {.places = interned, .place_count = GP_NAMES, .most = UINT32_MAX};
    bool is_new;
    const gp_interned *one =
        gp_intern(&table, 0, text, length < GP_PROBE_NAME_LONGEST ? length : GP_PROBE_NAME_LONGEST, &is_new);
    return one ? (const uint8_t *)one->text : NULL;
}
