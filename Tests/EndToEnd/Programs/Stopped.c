// Waits where a stop from outside could be noticed, until a line comes on standard input; then every wait has its event.
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOUR = 3600 };

static const struct timespec hour = {HOUR, 0};

static void require(int is_right, const char *what) {
    if (is_right)
        return;
    perror(what);
    exit(2);
}

// What each wait needs, and the write end that ends it where that is a descriptor.
static int semaphores, pipes[3][2], sockets[2], listening;
static aio_context_t context;
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_size = sizeof address;

static long wait_semop(void) {
    return semop(semaphores, &(struct sembuf){.sem_num = 0, .sem_op = -1}, 1);
}

static long wait_semtimedop(void) {
    return semtimedop(semaphores, &(struct sembuf){.sem_num = 1, .sem_op = -1}, 1, &hour);
}

static sigset_t awaited(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    return signals;
}

static long wait_sigtimedwait(void) {
    sigset_t signals = awaited();
    return sigtimedwait(&signals, NULL, &hour) == SIGUSR1;
}

static long wait_sigwaitinfo(void) {
    sigset_t signals = awaited();
    return sigwaitinfo(&signals, NULL) == SIGUSR1;
}

static long wait_io_getevents(void) {
    struct io_event event;
    return syscall(SYS_io_getevents, context, 1, 1, &event, &hour);
}

static long wait_epoll_wait(void) {
    struct epoll_event event = {.events = EPOLLIN};
    int queue = epoll_create1(0);
    epoll_ctl(queue, EPOLL_CTL_ADD, pipes[1][0], &event);
    return epoll_wait(queue, &event, 1, -1);
}

static long wait_poll(void) {
    return poll(&(struct pollfd){.fd = pipes[2][0], .events = POLLIN}, 1, HOUR * 1000);
}

static long wait_recv(void) {
    char byte;
    return recv(sockets[0], &byte, 1, 0);
}

static long wait_read(void) {
    char byte;
    return read(sockets[1], &byte, 1);
}

static long wait_accept(void) {
    return accept(listening, NULL, NULL) >= 0;
}

static const struct {
    const char *name;
    long (*wait)(void);
    long call;
} waits[] = {
    {"semop", wait_semop, SYS_semop},
    {"semtimedop", wait_semtimedop, SYS_semtimedop},
    {"sigtimedwait", wait_sigtimedwait, SYS_rt_sigtimedwait},
    {"sigwaitinfo", wait_sigwaitinfo, SYS_rt_sigtimedwait},
    {"io_getevents", wait_io_getevents, SYS_io_getevents},
    {"epoll_wait", wait_epoll_wait, -1},
    {"poll", wait_poll, -1},
    {"recv", wait_recv, SYS_recvfrom},
    {"read", wait_read, SYS_read},
    {"accept", wait_accept, SYS_accept},
};
enum { WAITS = sizeof waits / sizeof *waits };

static struct {
    pthread_t thread;
    atomic_int id;
    long result;
    int error;
} states[WAITS];

static void *wait_for_event(void *argument) {
    long number = (long)argument;
    free(malloc(100));  // the thread has an arena of its own
    states[number].id = (int)syscall(SYS_gettid);
    states[number].result = waits[number].wait();
    states[number].error = errno;
    return NULL;
}

// Until the thread sleeps in a system call.
static void await_sleep(atomic_int *thread) {
    char path[64], state = 0;
    while (*thread == 0)
        sched_yield();
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", *thread);
    while (state != 'S' && state != 'D') {
        FILE *file = fopen(path, "r");
        require(file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1, path);
        fclose(file);
    }
}

static void await_line(void) {
    char line[64];
    printf("waiting\n");
    fflush(stdout);
    require(fgets(line, sizeof line, stdin) != NULL, "standard input");
}

static void begin_waits(void) {
    struct timeval limit = {HOUR, 0};
    sigset_t signals = awaited();
    sigprocmask(SIG_BLOCK, &signals, NULL);
    semaphores = semget(IPC_PRIVATE, 2, 0600);
    require(semaphores >= 0, "semget");
    for (int i = 0; i < 3; i++)
        require(pipe(pipes[i]) == 0, "pipe");
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "socketpair");
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
    require(bind(listening, (void *)&address, sizeof(sa_family_t)) == 0 && listen(listening, 1) == 0, "listen");
    getsockname(listening, (void *)&address, &address_size);
    const int limited[] = {sockets[0], sockets[1], listening};
    for (int i = 0; i < 3; i++)
        require(setsockopt(limited[i], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0, "SO_RCVTIMEO");
    require(syscall(SYS_io_setup, 1, &context) == 0, "io_setup");
    struct iocb polled = {.aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = pipes[0][0], .aio_buf = POLLIN},
                *request = &polled;
    require(syscall(SYS_io_submit, context, 1, &request) == 1, "io_submit");
    for (long i = 0; i < WAITS; i++)
        pthread_create(&states[i].thread, NULL, wait_for_event, (void *)i);
    for (int i = 0; i < WAITS; i++)
        await_sleep(&states[i].id);
}

static void end_waits(void) {
    struct sembuf both[] = {{.sem_num = 0, .sem_op = 1}, {.sem_num = 1, .sem_op = 1}};
    semop(semaphores, both, 2);
    for (int i = 0; i < 3; i++)
        require(write(pipes[i][1], "x", 1) == 1, "write");
    for (int i = 0; i < 2; i++)
        require(send(sockets[i], "x", 1, 0) == 1, "send");
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    require(connect(client, (void *)&address, address_size) == 0, "connect");
    for (int i = 0; i < WAITS; i++) {
        if (waits[i].call == SYS_rt_sigtimedwait)
            pthread_kill(states[i].thread, SIGUSR1);
        pthread_join(states[i].thread, NULL);
        printf("%s %ld%s%s\n", waits[i].name, states[i].result, states[i].result < 0 ? " " : "",
               states[i].result < 0 ? strerror(states[i].error) : "");
    }
    semctl(semaphores, 0, IPC_RMID);
}

static void forbid_restart_syscall(void) {
    struct sock_filter rows[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_restart_syscall, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof rows / sizeof *rows, rows};
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0,
            "seccomp");
}

// A child in vfork that waits for the end of a pipe.
static int begun[2], ends[2], status;

static void *fork_and_wait(void *argument) {
    pid_t child = vfork();
    if (child == 0) {
        char byte = 0;
        close(ends[1]);
        _exit(write(begun[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 0 ? 7 : 8);
    }
    waitpid(child, &status, 0);
    return argument;
}

static void wait_in_vfork(void) {
    pthread_t thread;
    char byte;
    require(pipe(begun) == 0 && pipe(ends) == 0, "pipe");
    pthread_create(&thread, NULL, fork_and_wait, NULL);
    require(read(begun[0], &byte, 1) == 1, "read");
    await_line();
    close(ends[1]);
    pthread_join(thread, NULL);
    printf("child ended with %d\n", WEXITSTATUS(status));
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "vfork") == 0)
        wait_in_vfork();
    else {
        if (strcmp(mode, "filtered") == 0)
            forbid_restart_syscall();
        begin_waits();
        await_line();
        end_waits();
    }
    return 0;
}
