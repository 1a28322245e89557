// Loses a block while a thread runs that no signal can reach; with an argument, where the process cannot be copied.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t deaf;

static void *be_deaf(void *context) {
    uint64_t all = UINT64_MAX;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    sem_post(&deaf);
    for (;;)
        pause();
    return context;
}

static __attribute__((noinline)) void lose(void) {
    char *block = malloc(1234);
    memset(block, 7, 1234);
    printf("lost %d\n", block[100]);
}

// As a sandbox may have it.
static void forbid_copies(void) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(2);
}

int main(int count, char **arguments) {
    (void)arguments;
    pthread_t thread;
    sem_init(&deaf, 0, 0);
    lose();
    if (count > 1) {
        forbid_copies();
        return 0;
    }
    pthread_create(&thread, NULL, be_deaf, NULL);
    sem_wait(&deaf);
    return 0;
}
