// What programs do with memory, signals and threads while some of their blocks have pages of their own. All print what they
// print unrecorded.
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 64, OFFSET = 40 };

// Nothing that the compiler knows.
static void *(*volatile some_malloc)(size_t) = malloc;
static void (*volatile some_free)(void *) = free;
static void *(*volatile some_realloc)(void *, size_t) = realloc;

static char *freed_block(void) {
    char *block = some_malloc(SIZE);
    block[OFFSET] = 'x';
    some_free(block);
    return block;
}

static __attribute__((noinline)) char use(const char *block) {
    return ((const volatile char *)block)[OFFSET];
}

static sigjmp_buf escape;

static void on_fault(int signal) {
    (void)signal;
    siglongjmp(escape, 1);
}

static void fault(void) {
    if (sigsetjmp(escape, 1) == 0)
        *(volatile int *)(uintptr_t)16 = 1;
    else
        puts("recovered");
}

static void own_handler(void) {
    signal(SIGSEGV, on_fault);
    printf("%c\n", use(freed_block()));
    fault();
    printf("%c\n", use(freed_block()));
}

// Past the C library. A handler that jumps returns to no restorer.
static void raw_handler(void) {
    struct {
        void (*handler)(int);
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } action = {.handler = on_fault, .flags = SA_NODEFER | 0x04000000, .restorer = (void *)on_fault};
    syscall(SYS_rt_sigaction, SIGSEGV, &action, NULL, sizeof action.mask);
    for (int i = 0; i < 100; i++)
        (void)use(freed_block());
    fault();
}

static void *use_blocked(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    printf("%c\n", use(freed_block()));
    pthread_sigmask(SIG_BLOCK, NULL, &all);
    printf("blocked %d\n", sigismember(&all, SIGSEGV));
    return unused;
}

static void blocked(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use_blocked, NULL);
    pthread_join(thread, NULL);
}

static void sizes(void) {
    size_t sum = 0, wrong = 0;
    for (size_t size = 1; size < 5000; size++) {
        char *block = some_malloc(size);
        memset(block, (int)size, malloc_usable_size(block));
        sum += malloc_usable_size(block);
        block = some_realloc(block, size * 2);
        for (size_t i = 0; i < size; i++)
            wrong += block[i] != (char)size;
        block = some_realloc(block, size / 2 + 1);
        for (size_t i = 0; i < size / 2; i++)
            wrong += block[i] != (char)size;
        some_free(block);
        char *zeroed = calloc(size, 1);
        for (size_t i = 0; i < size; i++)
            wrong += zeroed[i] != 0;
        some_free(zeroed);
    }
    for (size_t alignment = 16; alignment <= 16384; alignment *= 2) {
        void *block = aligned_alloc(alignment, alignment), *other = NULL;
        wrong += (uintptr_t)block % alignment != 0;
        memset(block, 1, malloc_usable_size(block));
        wrong += posix_memalign(&other, alignment, 100) != 0 || (uintptr_t)other % alignment != 0;
        memset(other, 1, malloc_usable_size(other));
        some_free(block);
        some_free(other);
    }
    printf("%zu %zu\n", sum, wrong);
}

// The words in front of a living block, and those far behind it.
static void beside(void) {
    volatile char *blocks[100];
    int seen = 0;
    for (int i = 0; i < 100; i++)
        blocks[i] = some_malloc(SIZE);
    for (int i = 0; i < 100; i += 2)
        some_free((void *)blocks[i]);
    for (int i = 51; i < 80; i += 2) {
        seen += ((volatile size_t *)blocks[i])[-1] >= SIZE;
        seen += (blocks[i][-64] & 0) == 0;
        seen += (blocks[i][5000] & 0) == 0;
    }
    printf("%d\n", seen);
}

static void jump(void) {
    char *block = some_malloc(SIZE);
    memset(block, 0xc3, SIZE);
    some_free(block);
    ((void (*)(void))(uintptr_t)(block + 32))();
    puts("back");
}

static void *work(void *argument) {
    unsigned random = (unsigned)(uintptr_t)argument + 1;
    void *blocks[64] = {NULL};
    for (int i = 0; i < 20000; i++) {
        random = random * 1103515245 + 12345;
        void **place = &blocks[random >> 16 & 63];
        const size_t size = (random >> 8 & 1023) + 1;
        // A thread that came too late for an arena has none of its own, and nothing where the address space is used up.
        if (random >> 30 == 0) {
            void *moved = some_realloc(*place, size);
            if (!moved)
                continue;
            *place = moved;
        } else {
            some_free(*place);
            *place = some_malloc(size);
        }
        if (*place)
            memset(*place, i, size);
    }
    for (int i = 0; i < 64; i++)
        some_free(blocks[i]);
    return NULL;
}

static void threads(void) {
    pthread_t threads[8];
    int started = 0;
    // Where the address space is limited there may be no room for one more stack.
    for (uintptr_t i = 0; i < 8; i++)
        started += pthread_create(&threads[started], NULL, work, (void *)i) == 0;
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    puts("done");
}

static void forks(void) {
    char *blocks[100];
    for (int i = 0; i < 100; i++) {
        blocks[i] = some_malloc(SIZE);
        blocks[i][OFFSET] = (char)('a' + i % 26);
    }
    const char *stale = freed_block();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("%c", use(stale));
        for (int i = 0; i < 50; i++)
            some_free(blocks[i]);
        for (int i = 50; i < 100; i++)
            blocks[i] = some_realloc(blocks[i], 1000);
        printf("%c\n", blocks[75][OFFSET]);
        work(NULL);
        exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    for (int i = 0; i < 100; i++)
        some_free(blocks[i]);
}

static char *late, *later, *latest;

// After the recording has ended.
static __attribute__((destructor)) void at_the_end(void) {
    if (!late)
        return;
    some_free(late);
    later = some_realloc(later, 1000);
    printf("%c%c\n", later[OFFSET], use(latest));
    work(NULL);
    fflush(stdout);
}

static void ends(void) {
    late = some_malloc(SIZE);
    later = some_malloc(SIZE);
    later[OFFSET] = 'l';
    latest = freed_block();
}

// More than there are pages, all of which live.
static void many(void) {
    enum { COUNT = 5000 };
    static char *blocks[COUNT];
    for (int i = 0; i < COUNT; i++)
        blocks[i] = memset(some_malloc(SIZE), i, SIZE);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += blocks[i][OFFSET] != (char)i;
    for (int i = 0; i < COUNT; i++)
        some_free(blocks[i]);
    printf("%d\n", wrong);
}

static pthread_barrier_t barrier;
static char *shared[2000];

static void *free_all(void *unused) {
    for (int i = 0; i < 2000; i++) {
        pthread_barrier_wait(&barrier);
        some_free(shared[i]);
    }
    return unused;
}

// Two threads free the same blocks, each at the same moment, which glibc does not survive.
static void together(void) {
    pthread_t other;
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2000; i++)
        shared[i] = i % 10 == 0 ? some_malloc(SIZE) : NULL;
    pthread_create(&other, NULL, free_all, NULL);
    free_all(NULL);
    pthread_join(other, NULL);
    work(NULL);
    puts("done");
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        void (*run)(void);
    } uses[] = {{"own-handler", own_handler},
                {"raw-handler", raw_handler},
                {"blocked", blocked},
                {"sizes", sizes},
                {"beside", beside},
                {"jump", jump},
                {"threads", threads},
                {"fork", forks},
                {"end", ends},
                {"many", many},
                {"together", together}};
    for (size_t i = 0; count > 1 && i < sizeof uses / sizeof *uses; i++)
        if (strcmp(words[1], uses[i].name) == 0)
            uses[i].run();
    return 0;
}
