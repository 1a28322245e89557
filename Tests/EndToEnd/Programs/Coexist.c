// Programs that handle faults themselves, and then use freed memory.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

struct node {
    struct node *next;
    long values[7];
};

static struct node *make(void) {
    struct node *node = calloc(1, sizeof *node);
    node->next = node;
    return node;
}

static struct node *dead(void) {
    struct node *volatile node = make();
    struct node *address = node;
    free(node);
    return address;
}

__attribute__((noinline)) static long use(void) {
    struct node *volatile node = dead();
    return node->next->values[2];
}

static void say(const char *text) {
    if (write(1, text, strlen(text)) < 0)
        _exit(3);
}

// An alternate stack with little more than the kernel and the handler need; what lies below it is somebody else's.
enum { BELOW = 32 << 10, SPARE = 2 << 10 };
static unsigned char *below;

static void tellBelow(int signal, siginfo_t *info, void *context) {
    int touched = 0;
    for (int i = 0; i < BELOW; i++)
        touched |= below[i] != 0x5a;
    say(touched ? "memory below the stack was written\n" : "nothing below the stack was written\n");
    _exit(44);
}

static void withSmallStack(void) {
    size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + SPARE;
    below = mmap(NULL, BELOW + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(below, 0x5a, BELOW + size);
    stack_t stack = {.ss_sp = below + BELOW, .ss_size = size};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = tellBelow, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
}

static volatile int onStack;
static char alternate[64 << 10];

static void tell(int signal, siginfo_t *info, void *context) {
    char here;
    onStack = &here >= alternate && &here < alternate + sizeof alternate;
    say(signal == SIGSEGV && info->si_addr && context ? "handled" : "wrong arguments");
    say(onStack ? " on its own stack\n" : "\n");
    _exit(42);
}

static void plain(int signal) {
    say(signal == SIGSEGV ? "handled plainly\n" : "wrong signal\n");
    _exit(43);
}

static sigjmp_buf place;
static void jump(int signal) {
    siglongjmp(place, signal);
}

static void withSigaction(void) {
    struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO | SA_ONSTACK}, old;
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, &old);
    say(old.sa_handler == SIG_DFL ? "none before\n" : "somebody before\n");
    struct sigaction now;
    sigaction(SIGSEGV, NULL, &now);
    say(now.sa_sigaction == tell && (now.sa_flags & SA_ONSTACK) ? "mine now\n" : "another's now\n");
}

// Faults that are none of the recorder's business: a handler that recovers, and one that was reset by its first signal.
static void recovers(void) {
    signal(SIGSEGV, jump);
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(place, 1) == 0)
            *(volatile int *)8 = 1;
        say("recovered\n");
    }
    struct sigaction once = {.sa_handler = jump, .sa_flags = (int)SA_RESETHAND}, after;
    sigaction(SIGSEGV, &once, NULL);
    if (sigsetjmp(place, 1) == 0)
        *(volatile int *)8 = 1;
    sigaction(SIGSEGV, NULL, &after);
    say(after.sa_handler == SIG_DFL ? "reset\n" : "kept\n");
    signal(SIGSEGV, SIG_IGN);
    raise(SIGSEGV);
    say("ignored\n");
}

static void *onThread(void *unused) {
    static char own[64 << 10];
    stack_t stack = {.ss_sp = own, .ss_size = sizeof own};
    sigaltstack(&stack, NULL);
    printf("%ld\n", use());
    return unused;
}

static void thread(void) {
    pthread_t thread;
    withSigaction();
    pthread_create(&thread, NULL, onThread, NULL);
    pthread_join(thread, NULL);
}

static void change(int how) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(how, &all, NULL);
}

// Whoever blocks the signal of a fault dies of it, whatever handler there is.
static void blocked(const char *by) {
    pthread_t thread;
    pthread_attr_t attributes;
    withSigaction();
    pthread_attr_init(&attributes);
    if (strcmp(by, "blocked-attribute") == 0) {
        sigset_t all;
        sigfillset(&all);
        pthread_attr_setsigmask_np(&attributes, &all);
    } else {
        change(SIG_BLOCK);
    }
    if (strcmp(by, "blocked") == 0)
        printf("%ld\n", use());
    pthread_create(&thread, &attributes, onThread, NULL);
    pthread_join(thread, NULL);
}

static volatile int usesInHandler, again;

static void handleAlone(int signal) {
    again = signal;
    if (usesInHandler)
        printf("%ld\n", use());
    kill(getpid(), SIGSEGV);
    say("goes on\n");
}

// A handler that no signal may interrupt: with a use of dead memory in it, or with a fault's signal that is sent.
static void inHandler(int uses) {
    struct sigaction action = {.sa_handler = handleAlone}, old;
    usesInHandler = uses;
    change(SIG_UNBLOCK);
    sigfillset(&action.sa_mask);
    withSigaction();
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR1, NULL, &old);
    say(sigismember(&old.sa_mask, SIGSEGV) == 1 ? "as asked\n" : "not as asked\n");
    raise(SIGUSR1);
    say(again ? "left\n" : "not run\n");
}

static volatile int seen;
static void count(int signal) {
    seen += signal;
}

static void *tellMask(void *name) {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    printf("%s:", (const char *)name);
    for (int i = 1; i <= 64; i++)
        printf(" %d", sigismember(&now, i));
    printf("\n");
    return NULL;
}

// All that a program can see of blocked signals, with those of faults among them.
static void masks(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGSEGV, count);
    change(SIG_BLOCK);
    tellMask("blocked");
    pthread_t thread;
    pthread_create(&thread, NULL, tellMask, "inherited");
    pthread_join(thread, NULL);
    char *command[] = {"grep", "SigBlk", "/proc/self/status", NULL};
    pid_t child;
    if (posix_spawnp(&child, "grep", NULL, NULL, command, environ) == 0)
        waitpid(child, NULL, 0);

    sigset_t pending, fault;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_kill(pthread_self(), SIGSEGV);
    sigpending(&pending);
    printf("pending %d seen %d\n", sigismember(&pending, SIGSEGV), seen);
    change(SIG_UNBLOCK);
    printf("seen %d\n", seen);
    tellMask("unblocked");

    change(SIG_BLOCK);
    kill(getpid(), SIGSEGV);
    siginfo_t info;
    int waited = sigwaitinfo(&fault, &info);
    printf("waited %d of %d, seen %d\n", waited, info.si_code, seen);
    change(SIG_UNBLOCK);

    // A jump takes the mask back too: the handler is called again.
    signal(SIGSEGV, jump);
    if (sigsetjmp(place, 1) == 0) {
        change(SIG_BLOCK);
        siglongjmp(place, 1);
    }
    if (sigsetjmp(place, 1) == 0)
        *(volatile int *)8 = 1;
    printf("recovered\n");
}

static void *allocate(void *unused) {
    for (;;) {
        free(malloc(100));
        usleep(100);
    }
    return unused;
}

static void *await(void *unused) {
    sigset_t all;
    sigfillset(&all);
    for (int taken = 0; taken < 400;) {
        int signal = sigwaitinfo(&all, NULL);
        taken += signal == SIGSEGV || signal == SIGBUS;
    }
    say("all taken\n");
    _exit(0);
    return unused;
}

// Signals of faults that were sent: every thread blocks them, one waits for them. It gets them, others begin meanwhile.
static void sent(void) {
    change(SIG_BLOCK);
    pthread_t thread;
    pthread_create(&thread, NULL, await, NULL);
    for (int i = 0; i < 20000; i++) {
        if (i < 50)
            pthread_create(&thread, NULL, allocate, NULL);
        kill(getpid(), i % 2 ? SIGSEGV : SIGBUS);
        usleep(300);
    }
}

// Nearly all mappings that the kernel permits: pages of one's own cannot be had.
static void mappings(void) {
    enum { PAGES = 140000 };
    char *pages = mmap(NULL, (size_t)PAGES * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    long made = 0;
    while (2 * made < PAGES && mprotect(pages + 2 * made * 4096, 4096, PROT_READ) == 0)
        made++;
    for (int i = 0; i < 8; i++)
        munmap(pages + 2 * (made - 1 - i) * 4096, 4096);
    say(made < PAGES / 2 ? "full\n" : "not full\n");
    printf("%ld\n", use());
}

static long pagesOfAddresses(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        _exit(3);
    fclose(file);
    return pages;
}

// The kernel gives no more memory: what was freed must do. A block that is larger than all of it is refused as ever.
static void tight(void) {
    enum { BLOCKS = 20000, USED = BLOCKS * 3 / 4, SIZE = 200 };
    static char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(SIZE);
    rlim_t bytes = (rlim_t)pagesOfAddresses() * 4096;
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    void *volatile huge = malloc((size_t)1 << 40);
    say(huge ? "too much\n" : "refused\n");
    for (int round = 0; round < 8; round++) {
        long refused = 0;
        for (int i = 0; i < BLOCKS; i++)
            free(blocks[i]), blocks[i] = NULL;
        for (int i = 0; i < USED; i++) {
            blocks[i] = round % 4 == 0   ? malloc(SIZE)
                        : round % 4 == 1 ? calloc(2, SIZE / 2)
                        : round % 4 == 2 ? realloc(malloc(8), SIZE)
                                         : aligned_alloc(16, SIZE);
            refused += !blocks[i];
        }
        say(refused ? "not enough\n" : "enough\n");
    }
}

// Signals that a program ignores are ignored by what it starts and becomes.
static void handOn(char *self) {
    signal(SIGSEGV, SIG_IGN);
    signal(SIGTRAP, SIG_IGN);
    if (fork() == 0) {
        execl(self, self, "ignored", NULL);
        _exit(3);
    }
    wait(NULL);
    execl("/nowhere", "nowhere", NULL);
    kill(getpid(), SIGSEGV);
    execl(self, self, "ignored", NULL);
}

static void tellIgnored(void) {
    struct sigaction fault, trap;
    sigaction(SIGSEGV, NULL, &fault);
    sigaction(SIGTRAP, NULL, &trap);
    say(fault.sa_handler == SIG_IGN ? "ignores faults" : "ignores no faults");
    say(trap.sa_handler == SIG_IGN ? " and traps\n" : ", no traps\n");
}

static ucontext_t caller, coroutine;
static void *volatile made;

static void allocateHere(void) {
    made = malloc(48);
}

// Runs on a stack of its own that ends where nothing is mapped.
static void runApart(void (*function)(void)) {
    enum { SIZE = 64 << 10, PAGE = 4096 };
    char *room = mmap(NULL, SIZE + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(room + PAGE, SIZE, PROT_READ | PROT_WRITE);
    getcontext(&coroutine);
    coroutine.uc_stack = (stack_t){.ss_sp = room + PAGE, .ss_size = SIZE};
    coroutine.uc_link = &caller;
    makecontext(&coroutine, function, 0);
    swapcontext(&caller, &coroutine);
}

#ifdef EARLY
// In a library that is initialised before the recorder.
__attribute__((constructor(101))) static void early(void) {
    signal(SIGSEGV, plain);
}
#else
int main(int count, char **arguments) {
    const char *name = count > 1 ? arguments[1] : "";
    if (strcmp(name, "sigaction") == 0)
        withSigaction();
    else if (strcmp(name, "small-stack") == 0)
        withSmallStack();
    else if (strcmp(name, "signal") == 0)
        signal(SIGSEGV, plain);
    else if (strcmp(name, "recovers") == 0)
        return recovers(), 0;
    else if (strncmp(name, "blocked", 7) == 0)
        blocked(name);
    else if (strcmp(name, "masks") == 0)
        return masks(), 0;
    else if (strcmp(name, "in-handler") == 0)
        inHandler(1);
    else if (strcmp(name, "sent-in-handler") == 0)
        return inHandler(0), 0;
    else if (strcmp(name, "sent") == 0)
        return sent(), 1;
    else if (strcmp(name, "tight") == 0)
        return tight(), 0;
    else if (strcmp(name, "thread") == 0)
        thread();
    else if (strcmp(name, "hand-on") == 0)
        return handOn(arguments[0]), 3;
    else if (strcmp(name, "ignored") == 0)
        return tellIgnored(), 0;
    else if (strcmp(name, "coroutine") == 0)
        return runApart(allocateHere), say(made ? "made\n" : "not made\n"), 0;
    else if (strcmp(name, "abort-apart") == 0)
        return runApart(abort), 1;
    else if (strcmp(name, "mappings") == 0)
        mappings();
    printf("%ld\n", use());
}
#endif
