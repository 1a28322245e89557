// Numbers for how references are called, each written once (GP_HEAP_LABEL).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "references.h"

struct gp_thread;

typedef struct {
    uint64_t hash;  // 0: free
    uint32_t label;
} gp_label_slot;

typedef struct {
    gp_label_slot *slots;
    uint32_t count;
} gp_label_table;

// False: no memory.
bool gp_label_table_prepare(gp_label_table *table);

// The label's number: the same for references of equal kind, path, closure and declaring class, whatever their element or
// key. 0: it has no label, or there are too many. Labels are equal when their hashes of 64 bits are.
uint32_t gp_label_id(gp_label_table *table, struct gp_thread *thread, const gp_reference *reference);
