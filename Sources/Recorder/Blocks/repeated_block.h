// The quick way of a block that a thread mallocs and frees again and again: with the same size, stack and first word, only the
// count of its GP_REPEAT changes.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "live_entry.h"
#include "live_peak.h"
#include "memo_check.h"
#include "slow_path.h"
#include "stack.h"
#include "thread.h"
#include "trace_writer.h"
#include "TraceFormat.h"

// Behind the GP_REPEAT: the GP_ALLOC of the block, whether it belongs to the trace now or not.
static inline uint8_t *gp_repeated_cell(const gp_writer *writer) {
    return writer->repeat + GP_CELL_SIZE;
}

// After the free of a block, if a GP_REPEAT has just counted it.
static inline void gp_repeated_note(gp_thread *thread, gp_live_entry *place, gp_live_entry entry, uintptr_t address,
                                    uint64_t size) {
    gp_writer *writer = &thread->writer;
    const gp_repeat *repeat = (const gp_repeat *)writer->last;
    if (writer->stopped || !writer->temporary || writer->last != writer->temporary + GP_CELL_SIZE ||
        repeat->kind != GP_REPEAT || repeat->count < 2 || ((const gp_alloc *)(repeat + 1))->how != GP_HOW_MALLOC ||
        size < sizeof(uintptr_t) || size >= UINT32_MAX)
        return;
    writer->repeat = writer->last;
    thread->repeated = (gp_repeated_block){
        .address = address,
        .size = size,
        .place = place,
        .entry = entry,
        .first_word = *(const uintptr_t *)address,
        .stack = gp_live_stack(entry),
    };
}

// What gp_on_alloc records of the repeated block, by a busy thread that has looked at the clock; false: it is another one.
static inline bool gp_repeated_is_made(gp_thread *thread, uintptr_t address, size_t size, uint8_t how, uint32_t stack) {
    const gp_repeated_block *repeated = &thread->repeated;
    gp_writer *writer = &thread->writer;
    if (repeated->address != address || repeated->size != size || repeated->stack != stack || how != GP_HOW_MALLOC ||
        !writer->repeat || writer->last != writer->repeat || gp_live_age)
        return false;
    gp_write_commit(writer, gp_repeated_cell(writer));
    __atomic_store_n(repeated->place, repeated->entry, __ATOMIC_RELEASE);
    return true;
}

// What gp_on_free records, where it was made so; false: nothing was recorded.
static inline bool gp_repeated_is_freed(gp_thread *thread, uintptr_t address) {
    const gp_repeated_block *repeated = &thread->repeated;
    gp_writer *writer = &thread->writer;
    if (repeated->address != address || thread->busy)
        return false;
    thread->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // what a signal's handler records meanwhile is seen
    if (writer->last != gp_repeated_cell(writer) || ((const gp_alloc *)writer->last)->how != GP_HOW_MALLOC ||
        thread->last_block != address || *repeated->place != repeated->entry ||
        *(const uintptr_t *)address != repeated->first_word || gp_live_age) {
        gp_thread_leave(thread);
        return false;
    }
    __atomic_store_n(repeated->place, 0, __ATOMIC_RELEASE);
    ((gp_repeat *)writer->repeat)->count++;
    gp_write_commit(writer, writer->repeat);
    thread->last_block = 0;
    thread->live_change -= (int64_t)repeated->size;
    gp_thread_leave(thread);
    return true;
}
