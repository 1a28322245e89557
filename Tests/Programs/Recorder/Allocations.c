// Allocates known numbers of blocks of known sizes, in the way that its first argument names.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static void *volatile kept[64];

static void keep(int count, size_t size) {
    for (int i = 0; i < count; i++)
        kept[i % 64] = malloc(size);
}

static void pass(int count, size_t size) {
    for (int i = 0; i < count; i++) {
        void *volatile block = malloc(size);
        free(block);
    }
}

// Of 64 blocks the oldest gives way to a new one: no two events can be written as one.
static void exchange(int count, size_t size) {
    for (int i = 0; i < count; i++) {
        free(kept[i % 64]);
        kept[i % 64] = malloc(size);
    }
}

static void *work(void *unused) {
    (void)unused;
    keep(1000, 1001);
    pass(500, 1002);
    return NULL;
}

static int threads(int count) {
    pthread_t all[16];
    for (int i = 0; i < count; i++)
        pthread_create(&all[i], NULL, work, NULL);
    for (int i = 0; i < count; i++)
        pthread_join(all[i], NULL);
    return 0;
}

static void *live_briefly(void *unused) {
    keep(1, 1003);
    pass(1, 1004);
    return unused;
}

static int churn(void) {
    for (int i = 0; i < 2000; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, live_briefly, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}

// malloc(size) by a function that keeps a number of its own where others have their frame pointer.
void *allocate_with(size_t size, uintptr_t number);
__asm__("allocate_with:\n"
        ".cfi_startproc\n"
        "push %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "mov %rsi, %rbp\n"
        "call malloc@PLT\n"
        "pop %rbp\n"
        ".cfi_def_cfa_offset 8\n"
        "ret\n"
        ".cfi_endproc\n");

static int numbers(void) {
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const uintptr_t all[] = {0, 1, 8, here, here + 1, here + (1 << 30), 1ull << 63, -8, -16, -17, -24, -4096};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        keep(1, 1);  // the last stack is another then
        kept[i] = allocate_with(1019, all[i]);
    }
    return 0;
}

static pthread_key_t key;

static void late(void *rounds) {
    keep(1, 1005);
    if ((intptr_t)rounds > 1)
        pthread_setspecific(key, (void *)((intptr_t)rounds - 1));
}

static void *end_late(void *unused) {
    pthread_setspecific(key, (void *)4);
    return unused;
}

static int teardown(void) {
    pthread_key_create(&key, late);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, end_late, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}

static void *leave(void *unused) {
    (void)unused;
    exit(7);
}

static int exit_in_thread(int count) {
    keep(100, 1006);
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, leave, NULL);
    }
    for (;;)
        pause();
}

static int forked(void) {
    keep(10, 1007);
    pid_t child = fork();
    if (child == 0) {
        keep(1000, 1007);
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    child = vfork();
    if (child == 0)
        _exit(3);
    waitpid(child, &status, 0);
    keep(10, 1007);
    return WEXITSTATUS(status);
}

static int close_descriptors(void) {
    closefrom(3);
    FILE *own = fopen("/dev/null", "w");
    printf("%d\n", fileno(own));
    for (int i = 0; i < 20000; i++) {
        void *volatile one = malloc(1008), *volatile other = malloc(1009);
        free(one);
        free(other);
    }
    return 0;
}

static int limited(void) {
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){400000, 400000});
    for (int i = 0; i < 50000; i++) {
        void *volatile one = malloc(1010), *volatile other = malloc(1011);
        free(one);
        free(other);
    }
    puts("ended");
    return 0;
}

// The limit comes before the recording is brought to its end.
static int limited_at_the_end(rlim_t limit) {
    keep(5000, 1006);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
    return 7;
}

// A SIGXFSZ of the program's own waits while the recorder writes beyond the limit; then none of the recorder's does.
static int limited_with_a_signal(bool own) {
    sigset_t size, waiting;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){400000, 400000});
    sigprocmask(SIG_BLOCK, &size, NULL);
    if (own)
        raise(SIGXFSZ);
    keep(50000, 1010);
    sigpending(&waiting);
    return sigismember(&waiting, SIGXFSZ);
}

// Forbids itself to ask for limits, as sandboxes do: the call kills the process.
static int filtered(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return 77;
    keep(50000, 1006);
    return 7;
}

static int reallocations(void) {
    char *volatile block = malloc(1012);
    block = realloc(block, 1013);
    block = realloc(block, 200000);
    if (realloc(block, SIZE_MAX / 2) != NULL || errno != ENOMEM)
        return 1;
    block = reallocarray(block, 7, 145);
    block = realloc(block, 0);
    block = realloc(NULL, 1016);
    free(block);
    return reallocarray(NULL, SIZE_MAX, 2) != NULL;
}

static int aligned(void) {
    void *volatile block = NULL, *made = NULL;
    if (posix_memalign(&made, 3, 1017) != EINVAL || posix_memalign(&made, 64, 1017) != 0 || (uintptr_t)made % 64)
        return 1;
    free(made);
    free(block = aligned_alloc(32, 1017));
    free(block = memalign(128, 1017));
    free(block = valloc(1017));
    free(block = calloc(1, 1017));
    free(block = pvalloc(1018));
    errno = 77;
    free(block = malloc(10));
    return errno != 77;
}

static void *free_it(void *block) {
    free(block);
    return NULL;
}

// Blocks that come and go in one place, now and then in another way than before. Prints how many of each size there were.
static int repeats(void) {
    void *(*volatile make)(size_t) = malloc;
    int counts[2] = {0, 0};
    uint32_t state = 1;
    for (int step = 0; step < 200000; step++) {
        state = state * 1664525 + 1013904223;
        const uint32_t chance = state >> 16;
        const int which = chance % 8 == 0;
        const size_t size = 1031 + (size_t)which;
        void *volatile *block = chance % 16 == 1 ? calloc(1, size) : make(size);
        *block = chance % 32 == 2 ? NULL : make;
        counts[which]++;
        if (chance % 64 == 3) {
            block = realloc((void *)block, size);
            counts[which]++;
        }
        pthread_t other;
        if (chance % 512 == 4 && pthread_create(&other, NULL, free_it, (void *)block) == 0)
            pthread_join(other, NULL);
        else
            free((void *)block);
    }
    printf("%d %d\n", counts[0], counts[1]);
    return 0;
}

static int mask(void) {
    sigset_t all, seen;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    sigprocmask(SIG_BLOCK, NULL, &seen);
    int missing = 0;
    for (int signal = 1; signal <= SIGRTMAX; signal++)
        missing +=
            signal != SIGKILL && signal != SIGSTOP && signal != 32 && signal != 33 && !sigismember(&seen, signal);
    sigemptyset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &seen);
    missing += !sigismember(&seen, SIGUSR1);
    sigprocmask(SIG_BLOCK, NULL, &seen);
    return missing + !sigisemptyset(&seen);
}

static int surroundings(int count, char **arguments) {
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
    for (int i = 0; i < count; i++)
        puts(arguments[i]);
    FILE *file = fopen("/dev/null", "r");
    printf("descriptor %d\n", fileno(file));
    fprintf(stderr, "to standard error\n");
    return 5;
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
#define IS(name) (strcmp(how, name) == 0)
    if (IS("threads"))
        return threads(4);
    if (IS("churn"))
        return churn();
    if (IS("numbers"))
        return numbers();
    if (IS("teardown"))
        return teardown();
    if (IS("kill"))
        return keep(5000, 1006), kill(getpid(), SIGKILL);
    if (IS("abort"))
        keep(5000, 1006), abort();
    if (IS("exit-thread"))
        return exit_in_thread(1);
    if (IS("exit-threads"))
        return exit_in_thread(3);
    if (IS("_exit"))
        keep(100, 1006), _exit(7);
    if (IS("quick_exit"))
        keep(100, 1006), quick_exit(7);
    if (IS("return"))
        return keep(100, 1006), 7;
    if (IS("fork"))
        return forked();
    if (IS("close"))
        return close_descriptors();
    if (IS("limited"))
        return limited();
    if (IS("limited-at-end"))
        return limited_at_the_end((rlim_t)atol(arguments[2]));
    if (IS("limited-with-signal"))
        return limited_with_a_signal(true);
    if (IS("limited-without-signal"))
        return limited_with_a_signal(false);
    if (IS("filtered"))
        return filtered();
    if (IS("many"))
        return exchange(200000, 1006), 7;
    if (IS("realloc"))
        return reallocations();
    if (IS("aligned"))
        return aligned();
    if (IS("repeats"))
        return repeats();
    if (IS("mask"))
        return mask();
    return surroundings(count, arguments);
}
