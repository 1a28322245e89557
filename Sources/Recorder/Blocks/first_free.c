#include "first_free.h"

#include "alloc_hooks.h"
#include "recording_state.h"
#include "signal_chain.h"
#include "stack.h"
#include "thread.h"
#include "trace_writer.h"
#include "TraceFormat.h"

// Each is one more stack that is unwound.
enum { MOST = 1 << 14 };

uint8_t gp_first_frees[GP_FIRST_FREE_STACKS / 8];

void gp_first_free_write(gp_thread *thread, uint32_t stack) {
    static uint32_t written;
    const uint8_t bit = 1 << (stack % 8);
    if (__atomic_fetch_or(&gp_first_frees[stack / 8], bit, __ATOMIC_RELAXED) & bit)
        return;
    if (!(gp_recording.instruments & GP_INSTRUMENT_LEAKS) || __atomic_fetch_add(&written, 1, __ATOMIC_RELAXED) >= MOST)
        return;
    gp_first_free record = {
        .header.kind = GP_FIRST_FREE, .allocated = stack, .freed = gp_stack_id(thread, GP_REGISTERS_OF_STACK())};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}
