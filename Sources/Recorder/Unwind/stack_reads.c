#include "stack_reads.h"

#include "arch.h"
#include "safe_read.h"

enum { PAGE = GP_PAGE, PAGES_AT_ONCE = 16 };

// A chain that leaves the stack jumps far: nothing is read beyond this distance from where reading began.
#define FOREIGN_LIMIT ((uintptr_t)64 << 20)

// How many pages from `page` on can be read, up to PAGES_AT_ONCE: the kernel copies one byte of each.
static unsigned readable_pages(uintptr_t page) {
    char bytes[PAGES_AT_ONCE];
    struct iovec local = {bytes, sizeof bytes};
    struct iovec remote[PAGES_AT_ONCE];
    for (unsigned i = 0; i < PAGES_AT_ONCE; i++)
        remote[i] = (struct iovec){(void *)(page + (uintptr_t)i * PAGE), 1};
    long copied = gp_safe_copy(&local, 1, remote, PAGES_AT_ONCE);
    return copied > 0 ? (unsigned)copied : 0;
}

gp_stack_reads gp_stack_reads_at(const struct gp_thread *thread, uintptr_t sp) {
    static const gp_stack_growth growth = {gp_stack_reads_extend, gp_stack_reads_move};
    gp_stack_reads reads = {.growth = &growth};
    if (thread && thread->stack_high) {
        reads.own_low = gp_own_stack_low(thread);
        reads.own_high = thread->stack_high;
    }
    reads.low = sp - 8;
    reads.high = (sp & ~(uintptr_t)(PAGE - 1)) + PAGE;
    if (gp_stack_is_own(&reads, sp))
        reads.high = reads.own_high;
    return reads;
}

void gp_stack_reads_move(gp_stack_reads *reads, uintptr_t sp) {
    if (sp >= reads->low && sp < reads->high)
        return;
    // Nothing else lies between a readable page of the thread's stack and its end.
    const bool below = gp_is_readable(sp - 8), own = gp_stack_is_own(reads, sp) && (below || gp_is_readable(sp));
    reads->low = below ? sp - 8 : sp;
    reads->high = own ? reads->own_high : reads->low & ~(uintptr_t)(PAGE - 1);
}

bool gp_stack_reads_extend(gp_stack_reads *reads, uintptr_t address) {
    if (address - reads->low > FOREIGN_LIMIT || reads->high == reads->own_high)
        return false;
    while (address >= reads->high) {
        unsigned pages = readable_pages(reads->high);
        if (pages == 0)
            return false;
        reads->high += (uintptr_t)pages * PAGE;
    }
    return true;
}
