#include "alloc_hooks.h"

#include "../unwind/memo_check.h"
#include "cells.h"
#include "heap.h"
#include "live_entry.h"
#include "loader_range.h"
#include "slow_path.h"
#include "spool.h"
#include "stack.h"
#include "swift_types.h"
#include "system.h"
#include "tallies.h"
#include "thread.h"
#include "trace_writer.h"

bool gp_allocator_is_foreign;

// Events that may share a time without a look at the clock. A thread that was busy and then rests dates that many at
// most to the end of its busy time.
#define EVENTS_BETWEEN_LOOKS 8

GP_SLOW_PATH static void look_at_clock(gp_thread *thread) {
    uint64_t now = gp_coarse_ns();
    if (now == thread->writer.last_ns) {
        thread->events_unlooked = EVENTS_BETWEEN_LOOKS;
        return;
    }
    gp_time time = {.kind = GP_TIME, .ns = now};
    gp_write_cell(thread, &time);
    thread->writer.last_ns = now;
}

// One GP_TIME per tick of the kernel's clock: events in between share it. While the clock stands still between two
// looks, the thread is busy and looks less often.
static inline void write_time(gp_thread *thread) {
    if (GP_LIKELY(thread->events_unlooked > 0))
        thread->events_unlooked--;
    else
        look_at_clock(thread);
}

static inline void write_alloc(gp_thread *thread, uintptr_t address, size_t size, uint8_t how, uint32_t stack) {
    gp_writer *writer = &thread->writer;
    gp_cell *cell = (gp_cell *)gp_write_room(thread, writer);
    if (GP_UNLIKELY(!cell))
        return;
    cell->head = gp_cell_head(GP_ALLOC, how, size);
    cell->tail = gp_cell_tail(stack, (uint32_t)(address >> 4));
    gp_write_commit(writer, (uint8_t *)cell);
}

void *gp_on_alloc(void *block, size_t size, uint8_t how, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_thread *thread = gp_thread_current();
    uintptr_t address = (uintptr_t)block;
    if (GP_UNLIKELY(!block))
        return block;
    if (GP_UNLIKELY(!thread || thread->busy)) {
        gp_live_put(address, size, 0, GP_BLOCK_RECORDER);
        return block;
    }
    thread->busy = true;
    write_time(thread);
    uint32_t stack = gp_stack_id_unchanged(thread->stacks.last, pc, sp, fp);
    if (GP_UNLIKELY(!stack))
        stack = gp_stack_id_anew(thread, &thread->stacks, pc, sp, fp);
    uint32_t flags = gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0;
    write_alloc(thread, address, size, how, stack);
    if (GP_UNLIKELY(!gp_live_store(address, gp_live_pack(size, stack, flags))))
        gp_spool_drop(1);
    thread->last_block = address;
    thread->busy = false;
    return block;
}

// The GP_ALLOC that the thread wrote last becomes a GP_TEMPORARY; an equal one before it is counted up instead. False:
// the thread's last record is not the allocation of this block.
static inline bool write_temporary(gp_writer *writer, uint64_t size, uint32_t stack, uint32_t type) {
    gp_cell *last = (gp_cell *)writer->last;
    uint64_t head = last->head;
    if ((uint8_t)head != GP_ALLOC || gp_cell_size(head) != gp_cell_size(gp_cell_head(0, 0, size)) ||
        (uint32_t)last->tail != stack)
        return false;
    head += GP_TEMPORARY - GP_ALLOC;
    uint64_t tail = gp_cell_tail(stack, type);
    gp_cell *before = (gp_cell *)writer->temporary;
    if (before && before->head == head && before->tail == tail) {
        gp_cell *repeat = before + 1;
        if (repeat == last) {
            *repeat = (gp_cell){.head = GP_REPEAT, .tail = 1};
            return true;
        }
        if (repeat + 1 == last && repeat->head == GP_REPEAT) {
            repeat->tail++;
            gp_write_commit(writer, (uint8_t *)repeat);
            return true;
        }
    }
    last->tail = tail;
    last->head = head;
    writer->temporary = writer->last;
    return true;
}

static inline __attribute__((always_inline)) void write_free(gp_thread *thread, uintptr_t address, uint64_t size,
                                                             uint32_t stack, uint32_t type) {
    gp_writer *writer = &thread->writer;
    if (thread->last_block == address && writer->last) {
        thread->last_block = 0;
        if (GP_LIKELY(write_temporary(writer, size, stack, type)))
            return;
    }
    write_time(thread);
    gp_cell *cell = (gp_cell *)gp_write_room(thread, writer);
    if (GP_UNLIKELY(!cell))
        return;
    cell->head = gp_cell_head(GP_FREE, 0, size);
    cell->tail = gp_cell_tail(stack, type);
    gp_write_commit(writer, (uint8_t *)cell);
}

// A link map of the loader begins with the address of an image that is already unmapped when it is freed.
static inline uint32_t type_of(gp_thread *thread, uintptr_t address, uint64_t size, uint32_t flags) {
    if (GP_UNLIKELY(flags & GP_BLOCK_LOADER))
        return 0;
    return size >= sizeof(uintptr_t) ? gp_type_id_cached(thread, &thread->types, *(uintptr_t *)address, size) : 0;
}

void gp_on_free(void *block) {
    uintptr_t address = (uintptr_t)block;
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? *place : 0;
    if (GP_UNLIKELY(!entry))
        return;
    gp_thread *thread = gp_thread_current();
    if (GP_UNLIKELY(!thread || thread->busy || (gp_live_flags(entry) & GP_BLOCK_RECORDER))) {
        __atomic_store_n(place, 0, __ATOMIC_RELEASE);
        return;
    }
    thread->busy = true;
    uint64_t size = gp_live_size(entry, address);
    uint32_t type = type_of(thread, address, size, gp_live_flags(entry));
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    if (GP_UNLIKELY(gp_live_age & GP_AGE_TALLIED))
        gp_tally_freed(address, size, gp_live_stack(entry), type);
    write_free(thread, address, size, gp_live_stack(entry), type);
    thread->busy = false;
}

gp_moving_block gp_on_realloc_begin(void *block) {
    uintptr_t address = (uintptr_t)block;
    gp_moving_block moving = {.thread = gp_thread_current()};
    gp_live_entry *place = gp_live_find(address);
    gp_live_entry entry = place ? *place : 0;
    if (!entry)
        return moving;
    gp_thread *thread = moving.thread;
    moving.known = true;
    moving.block = (gp_block){address, gp_live_size(entry, address), gp_live_stack(entry), gp_live_flags(entry)};
    if (!thread || thread->busy)
        return moving;
    thread->busy = true;
    moving.type = type_of(thread, address, moving.block.size, moving.block.flags);
    if (GP_UNLIKELY(gp_live_age & GP_AGE_TALLIED))
        gp_tally_freed(address, moving.block.size, moving.block.stack, moving.type);
    thread->busy = false;
    thread->hold_stop = true;
    *place = entry | GP_BLOCK_MOVING;
    return moving;
}

// Another thread may already have been given the old address: its entry lacks the mark.
static void forget_moved(const gp_block *old) {
    gp_live_entry *place = gp_live_find(old->address);
    gp_live_entry expected = gp_live_pack(old->size, old->stack, old->flags | GP_BLOCK_MOVING);
    __atomic_compare_exchange_n(place, &expected, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void release_stop(gp_thread *thread) {
    thread->hold_stop = false;
    if (thread->stop_held) {
        thread->stop_held = false;
        gp_heap_send_stop(thread->id);
    }
}

void *gp_on_realloc_end(gp_moving_block moving, void *result, size_t size, bool freed, uintptr_t pc, uintptr_t sp,
                        uintptr_t fp) {
    gp_thread *thread = moving.thread;
    gp_block *old = &moving.block;
    bool records = thread && !thread->busy;
    if (!result && !freed) {
        if (moving.known)
            gp_live_put(old->address, old->size, old->stack, old->flags);
    } else if (moving.known) {
        if (records && !(old->flags & GP_BLOCK_RECORDER)) {
            thread->busy = true;
            write_free(thread, old->address, old->size, old->stack, moving.type);
            thread->busy = false;
        }
        forget_moved(old);
    }
    if (result)
        gp_on_alloc(result, size, GP_HOW_REALLOC, pc, sp, fp);
    if (records && moving.known)
        release_stop(thread);
    return result;
}
