// Handlers on alternate stacks that have just enough room for them, above a page that nobody may touch.
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 65536, LARGE = 256 << 10 };

static char *stack;
static volatile int *count, *frame;

static void set_action(void (*handler)(int), int flags) {
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | flags};
    sigaction(SIGSEGV, &action, NULL);
}

static void set_stack(size_t size) {
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = size}, NULL);
}

static void fault(void) {
    *(volatile int *)8 = 1;
}

// The kernel ends a program whose handler faults so often that its stack is full. Where it is full at an unlucky place the
// handler begins anew, for ever.
static void faults_itself(int signal) {
    (void)signal;
    if (++*count == 1000)
        _exit(0);
    fault();
}

static void measure(int signal) {
    (void)signal;
    *frame = (int)(stack + LARGE - (char *)__builtin_frame_address(0));
    _exit(0);
}

static void is_called_once(int signal) {
    (void)signal;
    if (write(1, "handler\n", 8) != 8)
        _exit(1);
    const int file = open("/dev/null", O_WRONLY), other = dup(file);
    if (write(file, "", 1) != 1 || close(other) != 0 || close(file) != 0)
        _exit(2);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    execl("/nowhere", "nowhere", (char *)NULL);
    _exit(42);
}

// Long enough to be sampled.
static void works(int signal) {
    (void)signal;
    const clock_t end = clock() + CLOCKS_PER_SEC / 20;
    while (clock() < end)
        continue;
    static sigset_t blocked;
    static char seen[] = "blocked: ................................................................\n";
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int other = 1; other <= 64; other++)
        seen[8 + other] = sigismember(&blocked, other) == 1 ? '1' : '0';
    if (write(1, seen, sizeof seen - 1) < 0)
        _exit(1);
    _exit(43);
}

// In a child: how it ended.
static int end_of(void (*handler)(int), int flags, size_t size) {
    *count = 0;
    if (fork() == 0) {
        set_stack(size);
        set_action(handler, flags);
        fault();
    }
    int status = 0;
    wait(&status);
    return status;
}

static void nested(void) {
    end_of(measure, 0, LARGE);
    for (int size = LARGE / 2; size < LARGE / 2 + *frame + 512; size += 16) {
        const int status = end_of(faults_itself, SA_NODEFER, (size_t)size);
        printf("%d: %d, %d\n", size, *count, status);
    }
}

static void ends(int signal) {
    (void)signal;
    _exit(0);
}

__attribute__((noinline)) static void lose(void) {
    void *volatile lost = malloc(555);
    lost = NULL;
}

// What lies there is of no function any more.
__attribute__((noinline)) static void clear(void) {
    char words[4096];
    memset(words, 0, sizeof words);
    __asm__ volatile("" ::"r"(words) : "memory");
}

// Only this function names the one block, only the kernel the stack.
static void hold(void) {
    void *volatile held = malloc(444);
    lose();
    const size_t size = (size_t)*frame + 1024;
    stack = malloc(size);
    set_stack(size);
    stack = NULL;
    set_action(ends, 0);
    clear();
    fault();
    free(held);
}

int main(int count_of_arguments, char **arguments) {
    const char *way = count_of_arguments > 1 ? arguments[1] : "";
    stack = mmap(NULL, PAGE + LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(stack, PAGE, PROT_NONE);
    stack += PAGE;
    count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    frame = count + 1;
    if (strcmp(way, "nested") == 0) {
        nested();
        return 0;
    }
    end_of(measure, 0, LARGE);
    if (strcmp(way, "holding") == 0)
        hold();
    const bool is_busy = strcmp(way, "busy") == 0;
    if (is_busy)
        set_action(works, 0);
    // As much as the kernel needs, and what is too little for another signal.
    set_stack((size_t)*frame + (is_busy ? *frame * 3 / 4 : 1024));
    if (!is_busy)
        set_action(is_called_once, 0);
    fault();
}
