// Blocks that only an io_uring names: what operations hand back, and registered buffers. With "done" every operation is done.
#include <linux/io_uring.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ENTRIES = 32, OPERATIONS = 8, BUFFERS = 3, BYTES = 4000 };

static int ring;
static unsigned *head, *tail, *mask, *numbers;
static struct io_uring_sqe *entries;

static int open_ring(unsigned flags) {
    struct io_uring_params at = {.flags = flags, .sq_thread_idle = 10000};
    ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &at);
    if (ring < 0)
        return 0;
    char *queue = mmap(0, at.sq_off.array + at.sq_entries * sizeof *numbers, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
    entries = mmap(0, at.sq_entries * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
                   IORING_OFF_SQES);
    head = (unsigned *)(queue + at.sq_off.head);
    tail = (unsigned *)(queue + at.sq_off.tail);
    mask = (unsigned *)(queue + at.sq_off.ring_mask);
    numbers = (unsigned *)(queue + at.sq_off.array);
    return 1;
}

static __attribute__((noinline)) void begin(unsigned operation, int file) {
    for (int i = 0; i < OPERATIONS; i++) {
        char *block = malloc(BYTES);
        const unsigned slot = *tail & *mask;
        entries[slot] = (struct io_uring_sqe){.opcode = (uint8_t)operation,
                                              .fd = file,
                                              .addr = (uintptr_t)block,
                                              .len = BYTES,
                                              .off = -1ull,
                                              .user_data = (uintptr_t)block};
        numbers[slot] = slot;
        __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    }
    syscall(SYS_io_uring_enter, ring, OPERATIONS, 0, IORING_ENTER_SQ_WAKEUP, 0, 0);
    while (__atomic_load_n(head, __ATOMIC_ACQUIRE) != *tail)
        sched_yield();
    memset(entries, 0, ENTRIES * sizeof *entries);
}

static __attribute__((noinline)) void register_buffers(void) {
    struct iovec buffers[BUFFERS];
    for (int i = 0; i < BUFFERS; i++)
        buffers[i] = (struct iovec){malloc(BYTES), BYTES};
    syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, buffers, BUFFERS);
    memset(buffers, 0, sizeof buffers);
}

// What stood on the stack.
static __attribute__((noinline)) void clear(void) {
    volatile char bytes[1 << 14];
    memset((char *)bytes, 1, sizeof bytes);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int files[2];
    if (!open_ring(strcmp(what, "polled") == 0 ? IORING_SETUP_SQPOLL : 0) || pipe(files) != 0) {
        puts("not possible: no io_uring");
        return 0;
    }
    if (strcmp(what, "pending") == 0 || strcmp(what, "polled") == 0)
        begin(IORING_OP_READ, files[0]);
    else
        begin(IORING_OP_NOP, -1);
    register_buffers();
    clear();
    puts("waiting");
    fflush(stdout);
    return argc > 2 ? 0 : getchar() == EOF;
}
