// A thread's own stack is found wherever the thread happens to stand.
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "Check.h"
#include "thread_stack.h"

enum { ROOM = 64 << 10 };

static __thread uintptr_t on_own_stack;
static __thread ucontext_t own, elsewhere;

static void look(void) {
    const uint32_t id = (uint32_t)gettid();
    const bool is_main = gettid() == getpid();
    gp_thread_stack stack;
    CHECK(gp_thread_stack_find(id, &stack));
    CHECK(stack.low < on_own_stack && on_own_stack < stack.high);
    CHECK(is_main == (stack.low == 0));
    CHECK(gp_thread_stack_top(id) >= stack.low && gp_thread_stack_top(id) < stack.high);

    pthread_attr_t attributes;
    void *low;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    const uintptr_t end = (uintptr_t)low + size;
    CHECK(is_main || stack.low == (uintptr_t)low);
    CHECK(stack.high >= end - 4096 && stack.high <= end + (is_main ? 8 * 4096 : 0));
}

static void on_signal(int signal) {
    (void)signal;
    look();
}

static void *room(void) {
    return mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *try(void *context) {
    on_own_stack = (uintptr_t)&context;
    look();

    sigaltstack(&(stack_t){.ss_sp = room(), .ss_size = ROOM}, NULL);
    raise(SIGUSR1);

    getcontext(&elsewhere);
    elsewhere.uc_stack = (stack_t){.ss_sp = room(), .ss_size = ROOM};
    elsewhere.uc_link = &own;
    makecontext(&elsewhere, look, 0);
    swapcontext(&own, &elsewhere);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, NULL);
    try(NULL);
    CHECK(pthread_create(&thread, NULL, try, NULL) == 0);
    pthread_join(thread, NULL);
    puts("passed");
}
