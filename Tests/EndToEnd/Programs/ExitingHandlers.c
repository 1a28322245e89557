// Signal handlers that end the program: while it ends already (twice; fault: by a signal that no thread puts off), and in
// the middle of malloc and its relatives. Takes what is done, how the handler ends the program and how many objects there
// are; one block of 4,321 bytes is lost.
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { HANDLED = 7, LOST_BYTES = 4321, PAUSE_US = 1000 };

typedef struct object {
    struct object *next;
    char *text;
} object;

static object *volatile first;
static const char *way;
static volatile bool ends;
static int sent = SIGINT;
static pthread_t main_thread;

static void make_objects(long count) {
    for (long i = 0; i < count; i++) {
        object *made = malloc(sizeof *made);
        *made = (object){first, NULL};
        first = made;
    }
}

__attribute__((noinline)) static void lose(void) {
    void *volatile lost = malloc(LOST_BYTES);
    memset(lost, 1, LOST_BYTES);
    lost = NULL;
}

// Overwrites what calls have left of the lost block.
__attribute__((noinline)) static void clear_stack(void) {
    volatile char room[16384];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static void leave(void) {
    if (strcmp(way, "_exit") == 0)
        _exit(HANDLED);
    if (strcmp(way, "quick_exit") == 0)
        quick_exit(HANDLED);
    exit(HANDLED);
}

static uintptr_t interrupted_at(const void *context) {
    const mcontext_t *registers = &((const ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
    return (uintptr_t)registers->gregs[REG_RIP];
#else
    return registers->pc;
#endif
}

// exit() in the middle of exit()'s own work on its list of handlers waits for ever for the lock that it holds itself, also
// in a program that nobody records. dladdr() would take a lock, too, so this is looked up before.
static uintptr_t libc_start, libc_end;

static int find_libc(struct dl_phdr_info *image, size_t size, void *function) {
    (void)size;
    for (int i = 0; i < image->dlpi_phnum; i++) {
        const uintptr_t start = image->dlpi_addr + image->dlpi_phdr[i].p_vaddr;
        const bool has_it = (uintptr_t)function - start < image->dlpi_phdr[i].p_memsz;
        if (image->dlpi_phdr[i].p_type == PT_LOAD && has_it)
            libc_start = start, libc_end = start + image->dlpi_phdr[i].p_memsz;
    }
    return 0;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    const uintptr_t instruction = interrupted_at(context);
    if (ends && (instruction < libc_start || instruction >= libc_end))
        leave();
}

static void on_tick(int signal) {
    static int ticks;
    (void)signal;
    if (++ticks == 3)
        leave();
}

// Signals come from now on until the program is gone.
static void *interrupt(void *context) {
    (void)context;
    for (;;) {
        pthread_kill(main_thread, sent);
        usleep(PAUSE_US);
    }
    return NULL;
}

static void begin_to_end(void) {
    ends = true;
}

static void end_twice(void) {
    pthread_t thread;
    main_thread = pthread_self();
    atexit(begin_to_end);
    pthread_create(&thread, NULL, interrupt, NULL);
    exit(HANDLED);
}

static void tick(void) {
    const struct itimerval times = {{0, 3000}, {0, 3000}};
    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &times, NULL);
}

static void allocate(void) {
    for (;;) {
        object *made = malloc(sizeof *made);
        made->text = malloc(40);
        free(made->text);
        free(made);
    }
}

// Each holds an object that nothing else holds.
static void resize(void) {
    static void **volatile held;
    held = malloc(sizeof *held);
    held[0] = malloc(1234);
    for (size_t size = 64;; size = size > 100000 ? 64 : size * 2)
        held = realloc(held, size);
}

// Whoever starts the program may have blocked them.
static void open_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int main(int count, char **arguments) {
    if (count < 4)
        return 2;
    open_signals();
    way = arguments[2];
    make_objects(atol(arguments[3]));
    lose();
    clear_stack();
    puts("well");
    fflush(stdout);
    if (strcmp(arguments[1], "fault") == 0)
        sent = SIGSEGV;
    if (strcmp(arguments[1], "twice") == 0 || strcmp(arguments[1], "fault") == 0) {
        dl_iterate_phdr(find_libc, (void *)exit);
        const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
        sigaction(sent, &action, NULL);
        end_twice();
    }
    tick();
    if (strcmp(arguments[1], "allocate") == 0)
        allocate();
    if (strcmp(arguments[1], "resize") == 0)
        resize();
    return 2;
}
