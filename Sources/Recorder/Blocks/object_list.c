#include "object_list.h"

#include <stdatomic.h>
#include <string.h>

#include "instrument.h"
#include "live_entry.h"
#include "safe_read.h"
#include "swift_types.h"
#include "thread.h"
#include "trace_writer.h"
#include "TraceFormat.h"

static gp_type_choice listed;
static _Atomic bool has_any;

// `died_ns`: 0: it lives.
static void write_object(gp_thread *thread, const gp_block *block, uint32_t type, uint64_t died_ns) {
    if (!type || !gp_type_is_chosen(&listed, type))
        return;
    gp_listed_object record = {
        .header.kind = GP_LISTED_OBJECT,
        .address = block->address,
        .size = block->size,
        .type = type,
        .stack = block->stack,
        .born_ns = gp_live_birth(block->address),
        .died_ns = died_ns,
    };
    atomic_store_explicit(&has_any, true, memory_order_relaxed);
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

void gp_object_list_freed(gp_thread *thread, const gp_block *block, uint32_t type) {
    write_object(thread, block, type, gp_now_ns());
}

// Another thread may free the block meanwhile, and its page be given back.
static bool write_living(const gp_block *block, void *context) {
    gp_thread *thread = context;
    uintptr_t first = 0;
    if (block->flags || block->size < sizeof first || !gp_safe_read(block->address, &first, sizeof first))
        return true;
    write_object(thread, block, gp_type_id(thread, first, block->size), 0);
    return true;
}

static void start(gp_thread *thread, const char *types) {
    (void)thread;
    if (!types || !*types)
        return;
    gp_choose_types(&listed, types, strlen(types));
    __atomic_fetch_or(&gp_live_age, GP_AGE_LISTED, __ATOMIC_SEQ_CST);
}

static void finish(gp_thread *thread) {
    (void)thread;
    __atomic_fetch_and(&gp_live_age, ~(uint32_t)GP_AGE_LISTED, __ATOMIC_SEQ_CST);
}

static void end(gp_thread *thread, bool may_look) {
    if (!listed.names[0])
        return;
    if (may_look)
        gp_live_each(write_living, thread);
    else
        gp_write_note(thread, "The objects that lived at the end are not listed.");
    if (!atomic_load_explicit(&has_any, memory_order_relaxed))
        gp_write_note(thread, "No object of the types that --objects names was allocated.");
}

// Its option: names of types, as those of gp_choose_types.
const gp_instrument gp_object_list_instrument = {
    .recorded = GP_INSTRUMENT_ALLOCATIONS,
    .variable = "GAMEPROF_OBJECTS",
    .start = start,
    .finish = finish,
    .end = end,
};
