// Living memory whose only references stand where few look: in the kernel, above a counter, in shared or protected memory.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 5, SIZE = 1 << 20 };

static void *job(int number) {
    void *made = malloc(500 + 40 * (size_t)number);
    memset(made, 1, 500);
    return made;
}

static void fill(void **places) {
    for (int i = 0; i < COUNT; i++)
        places[i] = job(i);
}

static void *map(size_t size, int flags, int file) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, 0);
}

static int set;

static void connections(void) {
    set = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < COUNT; i++) {
        int ends[2];
        if (pipe(ends) != 0)
            exit(2);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = job(i)};
        epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
        memset(&event, 0, sizeof event);
    }
}

static void timers(void) {
    for (int i = 0; i < COUNT; i++) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_ptr = job(i)};
        timer_t timer;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_sec = 1000}, NULL);
        memset(&event, 0, sizeof event);
    }
}

typedef struct node {
    uint64_t next;
    long value;
} node;

static _Atomic uint64_t head;

// As the lock-free containers of Boost have it: 16 bits count the changes of the head.
static void lock_free(void) {
    for (long i = 0; i < COUNT; i++) {
        node *pushed = malloc(sizeof *pushed);
        *pushed = (node){.next = head, .value = i};
        head = (uint64_t)pushed | ((pushed->next >> 48) + 1) << 48;
    }
}

struct ring {
    uint32_t capacity, mask;
    void *slots[16];
};

struct {
    uint32_t first, count;
    struct ring *ring;
} queue;

// Its shape is that of a table of the Swift runtime, and what waits lies behind the first `count` places.
static void waiting(void) {
    queue.ring = calloc(1, sizeof *queue.ring);
    queue.ring->capacity = 16;
    queue.ring->mask = 15;
    for (int i = 0; i < 26; i++) {
        queue.ring->slots[(queue.first + queue.count++) & 15] = job(i);
        if (i >= 20)
            continue;
        free(queue.ring->slots[queue.first]);
        queue.first = (queue.first + 1) & 15;
        queue.count--;
    }
}

static void **mapped;

static void shared(void) {
    char name[64];
    snprintf(name, sizeof name, "/far-references-%d", (int)getpid());
    int named = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    shm_unlink(name);
    if (named < 0 || ftruncate(named, SIZE) != 0)
        exit(2);
    fill(mapped = map(SIZE, MAP_SHARED, named));
}

static void written_file(void) {
    FILE *file = tmpfile();
    if (!file || ftruncate(fileno(file), SIZE) != 0)
        exit(2);
    fill(mapped = map(SIZE, MAP_SHARED, fileno(file)));
}

static void protected(void) {
    fill(mapped = map(SIZE, MAP_PRIVATE | MAP_ANONYMOUS, -1));
    mprotect(mapped, SIZE, PROT_NONE);
}

static void shared_protected(void) {
    fill(mapped = map(SIZE, MAP_SHARED | MAP_ANONYMOUS, -1));
    mprotect(mapped, SIZE, PROT_NONE);
}

static void unforked(void) {
    fill(mapped = map(SIZE, MAP_PRIVATE | MAP_ANONYMOUS, -1));
    madvise(mapped, SIZE, MADV_DONTFORK);
}

static void wiped(void) {
    fill(mapped = map(SIZE, MAP_PRIVATE | MAP_ANONYMOUS, -1));
    madvise(mapped, SIZE, MADV_WIPEONFORK);
}

// As libraries of cryptography do, to notice a fork.
static void marked(void) {
    char *page = map(4096, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    madvise(page, 4096, MADV_WIPEONFORK);
    *page = 1;
}

static void vast(void) {
    fill(mapped = map(((size_t)1 << 40) + SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1));
}

static void reserved(void) {
    fill(mapped = map((size_t)256 << 30, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1));
}

struct __attribute__((packed)) row {
    uint8_t kind;
    struct row *next;
};

static struct row first;

// A chain of rows that begin anywhere: the byte before an address says what it is.
static void packed(void) {
    struct row *last = &first;
    for (int i = 0; i < COUNT; i++) {
        struct row *row = job(i);
        *row = (struct row){.kind = (uint8_t)i};
        last->next = row;
        last = row;
    }
}

static atomic_bool started;

static void *wait_for_ever(void *context) {
    started = true;
    for (;;)
        pause();
    return context;
}

// One mapping: what a job system knows, then the stack of its thread.
static void own_stack(void) {
    enum { STACK = 2 << 20 };
    char *region = map(2 * STACK, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, region + STACK, STACK);
    pthread_create(&thread, &attributes, wait_for_ever, NULL);
    while (!started)
        usleep(100);
    fill(mapped = (void **)region);
}

// That this one is found shows that the others could be.
static void lost(void) {
    volatile uintptr_t made = (uintptr_t)job(0);
    (void)made;
}

static void wipe(void) {
    volatile char below[16384];
    memset((void *)below, 0, sizeof below);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"connections", connections},
                 {"timers", timers},
                 {"lock-free", lock_free},
                 {"waiting", waiting},
                 {"shared", shared},
                 {"written-file", written_file},
                 {"protected", protected},
                 {"reserved", reserved},
                 {"own-stack", own_stack},
                 {"packed", packed},
                 {"lost", lost},
                 {"vast", vast},
                 {"shared-protected", shared_protected},
                 {"unforked", unforked},
                 {"wiped", wiped},
                 {"marked", marked}};
    for (size_t i = 0; count > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(arguments[1], cases[i].name) == 0)
            cases[i].run();
    wipe();
    return 0;
}
