#include "thread_control_block.h"

#include <dlfcn.h>
#include <stddef.h>

#include "safe_read.h"
#include "system.h"

// The lowest address and the size stand side by side in the control block, which lies at the stack's end; the size of
// the guard stands behind them.
bool gp_control_block_stack(uintptr_t control_block, gp_stack_bounds *bounds) {
    enum { LEAST = 16384, ABOVE = 65536, WORDS = GP_CONTROL_BLOCK / sizeof(uintptr_t) };
    const uintptr_t *words = (const uintptr_t *)control_block;
    for (unsigned i = 0; i + 2 < WORDS; i++) {
        uintptr_t low = words[i], size = words[i + 1], below = control_block - low;
        if (low < ABOVE || low >= control_block || size < LEAST || size <= below || size - below > ABOVE)
            continue;
        *bounds = (gp_stack_bounds){low, size, words[i + 2]};
        return true;
    }
    return false;
}

void gp_narrow_to_stack(gp_mapping *mapping, uintptr_t control_block) {
    gp_stack_bounds bounds;
    if (control_block % sizeof(uintptr_t) != 0 || control_block < mapping->start || control_block > mapping->end ||
        mapping->end - control_block < GP_CONTROL_BLOCK || !gp_control_block_stack(control_block, &bounds))
        return;
    mapping->start = bounds.low > mapping->start ? bounds.low : mapping->start;
    mapping->end = bounds.low + bounds.size < mapping->end ? bounds.low + bounds.size : mapping->end;
}

// dtv_t: the header has the count of entries before it and a generation at 0, modules begin at 1.
typedef union {
    size_t count;
    struct {
        uintptr_t block, to_free;
    };
} vector_entry;

uintptr_t gp_thread_local_block(uintptr_t module) {
    enum { NO_BLOCK_YET = -1 };
    const vector_entry *vector = ((vector_entry *const *)gp_thread_pointer())[GP_TLS_VECTOR_WORD];
    const uintptr_t block = module > vector[-1].count ? 0 : vector[module].block;
    return block == (uintptr_t)NO_BLOCK_YET ? 0 : block;
}

// In bytes from the control block. What libthread_db asks glibc for; the first two are the same since glibc 2.4.
static struct { uint32_t list, tid, cancelhandling, start_routine; } offsets = {.tid = 720, .cancelhandling = 776};

static void ask(const char *symbol, uint32_t *offset) {
    const uint32_t *description = dlsym(RTLD_DEFAULT, symbol);  // bits, count, offset
    if (description && description[2] < GP_CONTROL_BLOCK)
        *offset = description[2];
}

static int int_at(uintptr_t address) {
    return *(const int *)address;
}

bool gp_control_blocks_prepare(void) {
    ask("_thread_db_pthread_list", &offsets.list);
    ask("_thread_db_pthread_tid", &offsets.tid);
    ask("_thread_db_pthread_cancelhandling", &offsets.cancelhandling);
    ask("_thread_db_pthread_start_routine", &offsets.start_routine);
    return (GP_CONTROL_BLOCK_IS_AT_POINTER || offsets.list != 0) &&
           int_at(gp_control_block() + offsets.tid) == (int)gp_system(gettid, 0);
}

// A control block at the thread pointer names itself in its first and its third word. Another is a member of libc's list of
// stacks: the members before and behind it name it.
static bool is_named(uintptr_t address) {
    const uintptr_t *words = (const uintptr_t *)address;
    if (GP_CONTROL_BLOCK_IS_AT_POINTER)
        return words[0] == address && words[2] == address;
    const uintptr_t member = address + offsets.list, *place = (const uintptr_t *)member;
    uintptr_t next[2], previous;
    return gp_safe_read(place[0], next, sizeof next) && next[1] == member &&
           gp_safe_read(place[1], &previous, sizeof previous) && previous == member;
}

// Most places are none: what costs little comes first. The kernel clears the id of a thread that has ended; pthread_join
// makes it -1. Before a thread has begun its id is 0 too, but nothing says yet that it has ended.
bool gp_control_block_ended(uintptr_t address, bool *is_joined) {
    enum { EXITING = 0x10, TERMINATED = 0x20 };  // of cancelhandling, in glibc's nptl/descr.h
    if (GP_CONTROL_BLOCK_IS_AT_POINTER && !is_named(address))
        return false;
    const int state = int_at(address + offsets.cancelhandling);
    *is_joined = (state & TERMINATED) != 0;
    return int_at(address + offsets.tid) <= 0 && state & EXITING &&
           (GP_CONTROL_BLOCK_IS_AT_POINTER || is_named(address));
}

uint32_t gp_control_block_start_routine(void) {
    return offsets.start_routine;
}
