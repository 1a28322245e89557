#include "stack_reads.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES_AT_ONCE = 16 };

// A chain that leaves the stack jumps far: nothing is read beyond this distance from where reading began.
#define FOREIGN_LIMIT ((uintptr_t)64 << 20)

static long quiet_call(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

// How many pages from `page` on can be read, up to PAGES_AT_ONCE: the kernel copies one byte of each.
static unsigned readable_pages(uintptr_t page) {
    char bytes[PAGES_AT_ONCE];
    struct iovec local = {bytes, sizeof bytes};
    struct iovec remote[PAGES_AT_ONCE];
    for (unsigned i = 0; i < PAGES_AT_ONCE; i++)
        remote[i] = (struct iovec){(void *)(page + (uintptr_t)i * PAGE), 1};
    long self = quiet_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    long copied = quiet_call(SYS_process_vm_readv, self, (long)&local, 1, (long)remote, PAGES_AT_ONCE, 0);
    return copied > 0 ? (unsigned)copied : 0;
}

gp_stack_reads gp_stack_reads_at(const struct gp_thread *thread, uintptr_t sp) {
    gp_stack_reads reads = {0};
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
    reads->low = sp - 8;
    reads->high = gp_stack_is_own(reads, sp) ? reads->own_high : reads->low & ~(uintptr_t)(PAGE - 1);
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
