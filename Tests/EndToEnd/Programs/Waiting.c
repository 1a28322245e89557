// Waits in every call that a signal's handler would cut short, and says what each returned and whether it took its time.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MS = 300 };

static struct timespec begun;

static void begin(void) {
    errno = 0;
    clock_gettime(CLOCK_MONOTONIC, &begun);
}

static void end(const char *name, long result) {
    int error = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long waited = (now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000;
    printf("%s %ld%s%s%s\n", name, result, result < 0 ? " " : "", result < 0 ? strerror(error) : "",
           waited < MS - 2   ? " too early"
           : waited > 4 * MS ? " too late"
                             : "");
}

static struct timespec in(clockid_t clock, long milliseconds) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static volatile sig_atomic_t alarms;
static void on_signal(int signal) {
    alarms += signal == SIGUSR1;
}

#ifdef __x86_64__
// As glibc calls the system from 2.41 on, where a thread can be cancelled: with a number that call_given has as its seventh
// argument and that stands in no register afterwards, or that call_loaded takes from there itself.
long call_given(long a, long b, long c, long d, long e, long f, long number);
long call_loaded(long a, long b, long c, long d, long e, long f, long number);
__asm__(".text\n"
        "call_given:\n"
        ".cfi_startproc\n"
        "push %r9\n.cfi_adjust_cfa_offset 8\n"
        "mov %rcx,%r9\nmov %rsi,%rcx\n"
        "push %r8\n.cfi_adjust_cfa_offset 8\n"
        "mov 24(%rsp),%rsi\nmov %rdx,%r8\nmov %rdi,%rdx\nlea 8(%rsp),%rdi\n"
        "call pass\n"
        "add $16,%rsp\n.cfi_adjust_cfa_offset -16\n"
        "ret\n"
        ".cfi_endproc\n"
        "pass:\n"
        ".cfi_startproc\n"
        "mov %rdi,%r11\nmov %rsi,%rax\nmov %rdx,%rdi\nmov %rcx,%rsi\nmov %r8,%rdx\nmov %r9,%r10\n"
        "mov 8(%rsp),%r8\nmov 16(%rsp),%r9\nmov %r11,8(%rsp)\n"
        "syscall\nret\n"
        ".cfi_endproc\n"
        "call_loaded:\n"
        ".cfi_startproc\n"
        "mov %rcx,%r10\nmov 8(%rsp),%rax\nsyscall\nret\n"
        ".cfi_endproc\n");

static void wait_as_later_versions(struct pollfd *polled) {
    begin(), end("given poll", call_given((long)polled, 1, MS, 0, 0, 0, SYS_poll));
    begin(), end("loaded poll", call_loaded((long)polled, 1, MS, 0, 0, 0, SYS_poll));
    struct timespec later = in(CLOCK_MONOTONIC, MS);
    begin(), end("given clock_nanosleep until",
                 call_given(CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&later, 0, 0, 0, SYS_clock_nanosleep));
    later = in(CLOCK_MONOTONIC, MS);
    begin(), end("loaded clock_nanosleep until",
                 call_loaded(CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&later, 0, 0, 0, SYS_clock_nanosleep));
}
#else
static void wait_as_later_versions(struct pollfd *polled) {
    (void)polled;
}
#endif

static void *wait_all(void *context) {
    (void)context;
    int ends[2];
    if (pipe(ends) < 0)
        abort();
    struct pollfd polled = {.fd = ends[0], .events = POLLIN};
    struct timespec time = {0, MS * 1000000}, rest;
    struct timeval limit = {0, MS * 1000};
    struct epoll_event event;
    int queue = epoll_create1(0);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);

    begin(), end("usleep", usleep(MS * 1000));
    begin(), end("nanosleep", nanosleep(&time, NULL));
    begin(), end("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &rest));
    struct timespec later = in(CLOCK_MONOTONIC, MS);
    begin(), end("clock_nanosleep until", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &later, NULL));
    begin(), end("poll", poll(&polled, 1, MS));
    begin(), end("ppoll", ppoll(&polled, 1, &time, NULL));
    begin(), end("ppoll all blocked", ppoll(&polled, 1, &time, &all));
    begin(), end("select", select(0, NULL, NULL, NULL, &limit));
    begin(), end("pselect", pselect(0, NULL, NULL, NULL, &time, NULL));
    begin(), end("pselect all blocked", pselect(0, NULL, NULL, NULL, &time, &all));
    begin(), end("epoll_wait", epoll_wait(queue, &event, 1, MS));
    begin(), end("epoll_pwait all blocked", epoll_pwait(queue, &event, 1, MS, &all));
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    later = in(CLOCK_REALTIME, MS);
    begin(), end("sem_timedwait", sem_timedwait(&semaphore, &later));
    begin(), end("sigtimedwait", sigtimedwait(&all, NULL, &time));
    wait_as_later_versions(&polled);
    return NULL;
}

static void *send_later(void *target) {
    usleep(MS * 1000);
    pthread_kill(*(pthread_t *)target, SIGUSR2);
    return NULL;
}

// As good as without end: a time that no clock reaches.
static void wait_for_long(void) {
    const pthread_t self = pthread_self();
    const struct timespec forever = {LONG_MAX / 2, 0};
    sigset_t awaited;
    pthread_t other;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    pthread_create(&other, NULL, send_later, (void *)&self);
    begin(), end("sigtimedwait for long", sigtimedwait(&awaited, NULL, &forever));
    pthread_join(other, NULL);
}

static atomic_bool is_over;

// Again and again: the first one may come before the call has begun, on a busy machine.
static void *interrupt(void *target) {
    do {
        usleep(MS * 1000);
        pthread_kill(*(pthread_t *)target, SIGUSR1);
    } while (!is_over);
    return NULL;
}

static pthread_t begin_interrupted(const pthread_t *target) {
    pthread_t other;
    is_over = false;
    pthread_create(&other, NULL, interrupt, (void *)target);
    begin();
    return other;
}

static void end_interrupted(pthread_t other, const char *name, long result) {
    end(name, result);
    is_over = true;
    pthread_join(other, NULL);
}

// The program's own signals cut calls short as ever.
static void own_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    const pthread_t self = pthread_self();
    struct pollfd nothing = {.fd = -1};
    sigset_t none;
    sigemptyset(&none);
    pthread_t other = begin_interrupted(&self);
    end_interrupted(other, "interrupted poll", poll(&nothing, 1, 20 * MS));
    other = begin_interrupted(&self);
    end_interrupted(other, "interrupted sigsuspend", sigsuspend(&none));
    other = begin_interrupted(&self);
    end_interrupted(other, "interrupted pause", pause());
    printf("%s\n", alarms >= 3 ? "all signals" : "too few signals");
}

int main(void) {
    pthread_t thread;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    pthread_create(&thread, NULL, wait_all, NULL);
    pthread_join(thread, NULL);
    wait_for_long();
    own_signals();
    return 0;
}
