// Stacks that are not what an unwinder takes them for: `signal`: a function whose call frame information says that the
// kernel made its frame, so that its registers are whatever stands there. `stack`: a signal handler on a stack inside the
// thread's own, which interrupts a function on another stack that is unmapped before the next signal.
#include <alloca.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline))

enum { ROOM = 64 << 10 };

static unsigned long sum;

static APART void allocate(size_t size) {
    char *block = malloc(size);
    memset(block, 1, size);
    sum += (unsigned long)block[size - 1];
    free(block);
}

static APART void claim(uintptr_t sp) {
    __asm__ volatile(".cfi_signal_frame");
    ucontext_t *frame = alloca(sizeof *frame);
    memset(frame, 0, sizeof *frame);
    frame->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)&allocate + 1;
    frame->uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
    frame->uc_mcontext.gregs[REG_RBP] = (greg_t)sp;
    __asm__ volatile("" : : "r"(frame) : "memory");
    allocate(100);
    sum += (unsigned long)frame->uc_mcontext.gregs[REG_RSP] & 7;
}

static void claim_all(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)15;
    const uintptr_t places[] = {here - ((uintptr_t)64 << 20),
                                here - ((uintptr_t)100 << 20),
                                here,
                                0,
                                8,
                                16,
                                ~(uintptr_t)15,
                                ~(uintptr_t)0,
                                (uintptr_t)1 << 47,
                                here - ROOM,
                                here + ROOM};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        claim(places[i]);
}

static ucontext_t outside, inside;

static void handle(int number) {
    allocate((size_t)number);
}

static APART void on_another_stack(void) {
    raise(SIGUSR1);
}

static void signal_stacks(void) {
    char room[ROOM];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        exit(3);
    for (int i = 0; i < 20; i++) {
        void *other = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        getcontext(&inside);
        inside.uc_stack.ss_sp = other;
        inside.uc_stack.ss_size = ROOM;
        inside.uc_link = &outside;
        makecontext(&inside, on_another_stack, 0);
        swapcontext(&outside, &inside);
        munmap(other, ROOM);
        raise(SIGUSR1);
    }
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
}

int main(int count, char **arguments) {
    if (count > 1 && !strcmp(arguments[1], "signal"))
        claim_all();
    else
        signal_stacks();
    printf("%lu\n", sum);
    return 0;
}
