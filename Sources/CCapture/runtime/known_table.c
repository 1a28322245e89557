#include "known_table.h"

#include <stdbool.h>
#include <stddef.h>

enum { PROBES = 64 };

// The entry of `key`, NULL: there is no room near where it belongs.
static gp_known_entry *entry_of(const gp_known_table *table, uintptr_t key) {
    uint32_t start = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> (64 - table->bits)), mask = (1u << table->bits) - 1;
    for (uint32_t probe = 0; probe < PROBES; probe++) {
        gp_known_entry *entry = &table->entries[(start + probe) & mask];
        uintptr_t present = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);
        if (present == 0 &&
            __atomic_compare_exchange_n(&entry->key, &present, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            return entry;
        }
        if (present == key) {
            return entry;
        }
    }
    return NULL;
}

const void *gp_known(const gp_known_table *table, uintptr_t key, const void *(*make)(uintptr_t key)) {
    gp_known_entry *entry = entry_of(table, key);
    const void *value = entry == NULL ? NULL : __atomic_load_n(&entry->value, __ATOMIC_ACQUIRE);
    if (value == NULL) {
        value = make(key);
        if (entry != NULL) {
            __atomic_store_n(&entry->value, value, __ATOMIC_RELEASE);
        }
    }
    return value;
}
