// A program to sample: it computes between calls that wait, blocks signals, replaces itself, starts threads. Prints what
// went wrong, else "well".
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// Computes for so many milliseconds of CPU time.
__attribute__((noinline)) void compute(int milliseconds) {
    uint64_t end = now(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)milliseconds * 1000000;
    volatile uint64_t sum = 0;
    while (now(CLOCK_THREAD_CPUTIME_ID) < end)
        for (int i = 0; i < 100000; i++)
            sum += (uint64_t)i;
}

static int failures;

static void expect(int condition, const char *what) {
    if (!condition) {
        printf("%s (errno %d)\n", what, errno);
        failures++;
    }
}

// Every call that a signal would end with EINTR, SA_RESTART or not, each after some computing.
static void wait_in_calls(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    int events = epoll_create1(0);
    for (int round = 0; round < 12; round++) {
        compute(3);
        expect(nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL) == 0, "nanosleep");
        compute(3);
        expect(poll(NULL, 0, 5) == 0, "poll");
        compute(3);
        expect(select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = 5000}) == 0, "select");
        compute(3);
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_nsec += 5000000;
        if (end.tv_nsec >= 1000000000)
            end = (struct timespec){end.tv_sec + 1, end.tv_nsec - 1000000000};
        expect(sem_timedwait(&semaphore, &end) < 0 && errno == ETIMEDOUT, "sem_timedwait");
        compute(3);
        struct epoll_event event;
        expect(epoll_wait(events, &event, 1, 5) == 0, "epoll_wait");
        compute(3);
        expect(usleep(5000) == 0, "usleep");
    }
}

static int signals_seen(const sigset_t *set) {
    int count = 0;
    for (int number = 1; number < 65; number++)
        count += sigismember(set, number) == 1;
    return count;
}

// Whoever blocks all signals is told so, and is sampled all the same.
static void block_signals(void) {
    sigset_t all, seen, none;
    sigfillset(&all);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &seen);
    expect(signals_seen(&seen) == 60, "not all signals are reported as blocked");
    compute(100);
    pthread_sigmask(SIG_SETMASK, &none, &seen);
    expect(signals_seen(&seen) == 60, "not all signals were reported as blocked");
    pthread_sigmask(SIG_SETMASK, NULL, &seen);
    expect(signals_seen(&seen) == 0, "signals are reported as blocked");
}

static volatile int handled;

static void handle(int number) {
    handled = number;
}

// Every signal may be given a handler and asked for its handler.
static void handle_signals(void) {
    for (int number = 1; number < 32; number++) {
        if (number == SIGKILL || number == SIGSTOP)
            continue;
        struct sigaction action = {.sa_handler = handle}, old;
        expect(sigaction(number, &action, NULL) == 0, "sigaction");
        compute(2);
        expect(sigaction(number, NULL, &old) == 0 && old.sa_handler == handle, "another handler");
    }
    expect(handled == 0, "a handler was called");
}

static volatile int depth, deepest;

static void trap_again(int signal) {
    (void)signal;
    if (++depth > deepest)
        deepest = depth;
    if (depth < 3)
        __asm__ volatile("int3");
    depth--;
}

// Breakpoints of the program's own, with a handler and without.
static void trap(void) {
    struct sigaction action = {.sa_handler = trap_again, .sa_flags = SA_NODEFER};
    sigaction(SIGTRAP, &action, NULL);
    compute(3);
    __asm__ volatile("int3");
    expect(deepest == 3 && depth == 0, "traps in a trap's handler");
    action = (struct sigaction){.sa_handler = handle};
    sigaction(SIGTRAP, &action, NULL);
    for (int i = 0; i < 20; i++) {
        compute(3);
        handled = 0;
        __asm__ volatile("int3");
        expect(handled == SIGTRAP, "a breakpoint's handler");
        compute(3);
        handled = 0;
        raise(SIGTRAP);
        expect(handled == SIGTRAP, "a raised trap's handler");
        handled = 0;
    }
    signal(SIGTRAP, SIG_DFL);
    compute(20);
    pid_t child = fork();
    if (child == 0)
        __asm__ volatile("int3");
    int status = 0;
    expect(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP, "a fatal trap");
}

// A program that replaces itself while it computes, with all signals blocked or not.
static void replace(char *name, int round) {
    compute(2);
    if (round == 0)
        return;
    char number[16];
    snprintf(number, sizeof number, "%d", round - 1);
    sigset_t all;
    sigfillset(&all);
    if (round % 2)
        sigprocmask(SIG_BLOCK, &all, NULL);
    execl(name, name, "replace", number, NULL);
    expect(0, "execl");
}

static void fork_children(void) {
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            compute(10);
            _exit(7);
        }
        compute(2);
        int status = 0;
        expect(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "child");
    }
}

static void *work(void *milliseconds) {
    compute((int)(intptr_t)milliseconds);
    return NULL;
}

static void run_threads(int count, int milliseconds, int rounds) {
    pthread_t threads[256];
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++)
            expect(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)milliseconds) == 0, "pthread_create");
        for (int i = 0; i < count; i++)
            pthread_join(threads[i], NULL);
    }
}

// Computes for so many microseconds of CPU time, and returns how many nanoseconds it took.
__attribute__((noinline)) static uint64_t spend(int microseconds) {
    uint64_t start = now(CLOCK_THREAD_CPUTIME_ID), end = start + (uint64_t)microseconds * 1000, time;
    volatile uint64_t sum = 0;
    while ((time = now(CLOCK_THREAD_CPUTIME_ID)) < end)
        for (int i = 0; i < 20000; i++)
            sum += (uint64_t)i;
    return time - start;
}

static uint64_t spent_briefly;

__attribute__((noinline)) static void *brief(void *microseconds) {
    spent_briefly += spend((int)(intptr_t)microseconds);
    __asm__ volatile("");
    return NULL;
}

__attribute__((noinline)) static uint64_t lasting(int milliseconds) {
    uint64_t spent = spend(milliseconds * 1000);
    __asm__ volatile("");
    return spent;
}

// Threads of so many microseconds each, one after another, and one that lasts as long as all of them. Prints the share
// of the short ones.
static void share_with_short_threads(int microseconds) {
    enum { MILLISECONDS = 800 };
    for (int i = 0; i < MILLISECONDS * 1000 / microseconds; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, brief, (void *)(intptr_t)microseconds);
        pthread_join(thread, NULL);
    }
    uint64_t lasted = lasting(MILLISECONDS);
    printf("%.4f\n", (double)spent_briefly / (double)(spent_briefly + lasted));
}

static pthread_barrier_t barrier;

static void *rest(void *context) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return context;
}

// Many threads leave the program its descriptors, and without any left threads begin as ever.
static void use_up_descriptors(void) {
    enum { THREADS = 300 };
    static pthread_t threads[THREADS];
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){1024, 1024});
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        expect(pthread_create(&threads[i], NULL, rest, NULL) == 0, "pthread_create");
    pthread_barrier_wait(&barrier);
    int opened = 0;
    while (open("/dev/null", O_RDONLY) >= 0)
        opened++;
    expect(opened > 800, "descriptors are gone");
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    run_threads(4, 20, 1);
}

static void *leave(void *context) {
    return context;
}

static void *compute_last(void *milliseconds) {
    lasting((int)(intptr_t)milliseconds);
    return NULL;
}

// Many threads are made before the first of them may run; the last computes.
static void crowd(int count, int milliseconds) {
    pthread_t threads[count];
    pthread_attr_t attributes;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setaffinity_np(&attributes, sizeof one, &one);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    sched_setaffinity(0, sizeof one, &one);
    // Without the privilege they may run, and the test is an easier one.
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    for (int i = 0; i < count; i++)
        expect(pthread_create(&threads[i], &attributes, i == count - 1 ? compute_last : leave,
                              (void *)(intptr_t)milliseconds) == 0,
               "pthread_create");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static volatile int churning = 1;

static void *load_and_unload(void *context) {
    (void)context;
    static const char *const libraries[] = {"libutil.so.1", "libanl.so.1", "librt.so.1", "libresolv.so.2"};
    for (unsigned round = 0; churning; round++) {
        void *library = dlopen(libraries[round % 4], RTLD_NOW);
        compute(1);
        if (library)
            dlclose(library);
    }
    return NULL;
}

// Threads that come and go while libraries are loaded and unloaded.
static void churn(int milliseconds) {
    pthread_t loaders[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&loaders[i], NULL, load_and_unload, NULL);
    for (int spent = 0; spent < milliseconds; spent += 4 * 25)
        run_threads(4, 25, 1);
    churning = 0;
    for (int i = 0; i < 2; i++)
        pthread_join(loaders[i], NULL);
}

static void on_own_trap(int signal) {
    (void)signal;
}

__attribute__((noinline)) static int descend(int depth, int milliseconds) {
    if (depth == 0) {
        compute(milliseconds);
        return 1;
    }
    volatile int below = descend(depth - 1, milliseconds);
    return below + depth;
}

// As the Swift runtime has it: a handler of traps on a small stack, where the next trap need not wait for the last.
static void handle_on_a_small_stack(void) {
    const size_t frame = getauxval(AT_MINSIGSTKSZ), size = (frame ? frame : 14336) + 2048;  // room for one of these
    sigaltstack(&(stack_t){.ss_sp = malloc(size), .ss_size = size}, NULL);
    struct sigaction action = {.sa_handler = on_own_trap, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(SIGTRAP, &action, NULL);
    for (int i = 0; i < 20; i++)
        expect(descend(i % 2 ? 6000 : 5000, 15) > 5000, "descend");
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (strcmp(what, "wait") == 0)
        wait_in_calls();
    else if (strcmp(what, "block") == 0)
        block_signals();
    else if (strcmp(what, "handle") == 0)
        handle_signals();
    else if (strcmp(what, "trap") == 0)
        trap();
    else if (strcmp(what, "replace") == 0)
        replace(words[0], count > 2 ? atoi(words[2]) : 20);
    else if (strcmp(what, "fork") == 0)
        fork_children();
    else if (strcmp(what, "threads") == 0)
        run_threads(atoi(words[2]), atoi(words[3]), atoi(words[4]));
    else if (strcmp(what, "short") == 0)
        share_with_short_threads(atoi(words[2]));
    else if (strcmp(what, "descriptors") == 0)
        use_up_descriptors();
    else if (strcmp(what, "crowd") == 0)
        crowd(atoi(words[2]), atoi(words[3]));
    else if (strcmp(what, "small-stack") == 0)
        handle_on_a_small_stack();
    else if (strcmp(what, "churn") == 0)
        churn(atoi(words[2]));
    if (failures == 0)
        printf("well\n");
    return failures != 0;
}
