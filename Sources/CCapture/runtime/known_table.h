// What was once worked out for a metadata address, kept without a lock: open addressing, entries are never removed.
#ifndef GP_RUNTIME_KNOWN_TABLE_H
#define GP_RUNTIME_KNOWN_TABLE_H

#include <stdint.h>

typedef struct {
    uintptr_t key;  // set once
    const void *value;  // follows the key
} gp_known_entry;

typedef struct {
    uint32_t bits;  // the table has 2^bits entries
    gp_known_entry *entries;
} gp_known_table;

// Declares a table `name` with 2^`log2_entries` entries.
#define GP_KNOWN_TABLE(name, log2_entries)                                                                             \
    static gp_known_entry name##_entries[1u << (log2_entries)];                                                        \
    static const gp_known_table name = {log2_entries, name##_entries}

// What is known for `key`, which is not 0; at its first sight what `make` says, kept while there is room. Two threads
// may make the same value at once: one is kept. NULL: `make` said so.
const void *gp_known(const gp_known_table *table, uintptr_t key, const void *(*make)(uintptr_t key));

#endif
