// What can be done with descriptors, a given number of times each; prints what the calls returned.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[4096];

static void files(const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/data", folder);
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    ssize_t bytes = 0;
    for (int i = 0; i < 3; i++)
        bytes += write(file, block, sizeof block);
    for (int i = 0; i < 5; i++)
        bytes += pread(file, block, 1000, 0);
    struct iovec parts[2] = {{block, 100}, {block + 100, 60}};
    lseek(file, 0, SEEK_SET);
    bytes += readv(file, parts, 2) + preadv(file, parts, 2, 10) + pwritev(file, parts, 2, 0) + writev(file, parts, 2);
    fsync(file);
    while (read(file, block, sizeof block) > 0)
        bytes++;
    const int copy = dup(file), other = fcntl(file, F_DUPFD_CLOEXEC, 100);
    printf("%zd bytes, %d\n", bytes, close(copy) + close(other) + close(file));

    const int directory = open(folder, O_RDONLY | O_DIRECTORY);
    const int inner = openat(directory, "data", O_RDONLY);
    printf("%zd read\n", read(inner, block, 10));
    close(inner);
    close(directory);

    FILE *stream = fopen(path, "w+");
    fputs("first\nsecond\n", stream);
    rewind(stream);
    char line[32];
    while (fgets(line, sizeof line, stream))
        printf("line %s", line);
    fclose(stream);
}

static void ends(void) {
    int pair[2];
    if (pipe(pair) < 0)
        abort();
    ssize_t bytes = write(pair[1], "hello", 5) + read(pair[0], block, 5);
    close(pair[0]), close(pair[1]);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    bytes += send(pair[0], "datagram", 8, 0) + recv(pair[1], block, sizeof block, 0);
    close_range(pair[0], pair[1], 0);
    const int event = eventfd(1, 0), queue = epoll_create1(EPOLL_CLOEXEC);
    uint64_t value = 0;
    bytes += read(event, &value, sizeof value);
    // The queue's number is the event's from here on.
    dup2(event, queue);
    close(queue), close(event);
    printf("%zd bytes\n", bytes);
}

static void failures(void) {
    errno = 0;
    int result = open("/nonexistent/file", O_RDONLY);
    printf("%d %s, ", result, strerror(errno));
    result = open((const char *)8, O_RDONLY);
    printf("%d %s, ", result, strerror(errno));
    result = close(12345);
    printf("%d %s, ", result, strerror(errno));
    errno = ENOTTY;
    (void)!write(1, "", 0);
    printf("%s\n", strerror(errno));
}

static void children(void) {
    const int file = open("/dev/zero", O_RDONLY);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 100; i++)
            (void)!read(file, block, 1);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    child = vfork();
    if (child == 0) {
        close(file);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    printf("%zd read in the parent\n", read(file, block, 7));
    close(file);
}

// A child that becomes another program has what is not closed on exec; the parent closes the end that it writes to.
static void inherited(void) {
    int ends[2], pair[2], other[2];
    if (pipe(ends) < 0 || pipe2(other, O_CLOEXEC) < 0)
        abort();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        abort();
    fcntl(pair[0], F_SETFD, 0);
    close(other[0]), close(other[1]);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    eventfd(0, 0);
    fflush(stdout);
    int begun[2];
    if (pipe2(begun, O_CLOEXEC) < 0)
        abort();
    if (fork() == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1), dup2(nothing, 2);
        execl("/bin/sleep", "sleep", "30", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    close(begun[1]);
    // The end of this pipe says that the child is another program.
    char byte;
    while (read(begun[0], &byte, 1) > 0) {
    }
    close(begun[0]);
    puts("read end open");
}

static void cleaned(void *text) {
    puts(text);
}

static void *waits(void *end) {
    pthread_cleanup_push(cleaned, "cleaned up");
    (void)!read(*(int *)end, block, 1);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancelled(void) {
    int pair[2];
    if (pipe(pair) < 0)
        abort();
    pthread_t thread;
    pthread_create(&thread, NULL, waits, &pair[0]);
    usleep(50000);
    pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    puts(result == PTHREAD_CANCELED ? "cancelled" : "went on");
    close(pair[0]), close(pair[1]);
}

static void exhaust(void) {
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64});
    int count = 0;
    while (open("/dev/null", O_RDONLY) >= 0)
        count++;
    printf("%d opened, then %s\n", count, strerror(errno));
}

static int connect_to(int kind, uint32_t host, uint16_t port, int *socket_of) {
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(host)};
    if (*socket_of < 0)
        *socket_of = socket(AF_INET, kind, 0);
    return connect(*socket_of, (const struct sockaddr *)&address, sizeof address);
}

static void peers(uint16_t port, const char *path) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0), local = socket(AF_UNIX, SOCK_STREAM, 0);
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un local_address = {.sun_family = AF_UNIX};
    strncpy(local_address.sun_path, path, sizeof local_address.sun_path - 1);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    unlink(path);
    int result = bind(listener, (const struct sockaddr *)&address, sizeof address) | listen(listener, 8) |
                 bind(local, (const struct sockaddr *)&local_address, sizeof local_address) | listen(local, 8);
    for (int i = 0; i < 2; i++) {
        int client = -1;
        result |=
            connect_to(SOCK_STREAM | (i ? SOCK_NONBLOCK : 0), INADDR_LOOPBACK, port, &client) && errno != EINPROGRESS;
        const int server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        result |= write(server, "hello", 5) != 5 || (!i && read(client, block, 5) != 5);
        close(client), close(server);
    }
    int refused = -1, datagrams = -1;
    int failed = connect_to(SOCK_STREAM, INADDR_LOOPBACK, 1, &refused);
    printf("%d %s, ", failed, strerror(errno));
    result |= connect_to(SOCK_DGRAM, INADDR_LOOPBACK, port, &datagrams) |
              connect_to(SOCK_DGRAM, INADDR_LOOPBACK, 9, &datagrams);
    const int far = socket(AF_UNIX, SOCK_STREAM, 0);
    result |= connect(far, (const struct sockaddr *)&local_address, sizeof local_address);
    const int near = accept(local, NULL, NULL);
    printf("%d, ", result);
    failed = connect(far, (const struct sockaddr *)8, sizeof address);
    printf("%d %s, ", failed, strerror(errno));
    failed = connect(12345, (const struct sockaddr *)&address, sizeof address);
    printf("%d %s\n", failed, strerror(errno));
    close(near), close(far), close(refused), close(datagrams), close(local);
    close(listener);
}

// Past the C library's functions; three numbers are another file's then.
static void closed_unseen(void) {
    int files[20];
    for (int i = 0; i < 20; i++)
        files[i] = open("/dev/null", O_RDONLY);
    for (int i = 0; i < 12; i++)
        syscall(SYS_close, files[i]);
    for (int i = 0; i < 3; i++)
        syscall(SYS_openat, AT_FDCWD, "/dev/zero", O_RDONLY);
    puts("closed");
}

int main(int count, char **arguments) {
    if (count == 4) {
        peers((uint16_t)atoi(arguments[2]), arguments[3]);
        return 0;
    }
    if (count == 2 && strcmp(arguments[1], "unseen") == 0) {
        closed_unseen();
        return 0;
    }
    if (count == 2 && strcmp(arguments[1], "inherited") == 0) {
        inherited();
        return 0;
    }
    if (count == 2) {
        exhaust();
        return 3;
    }
    files(arguments[2]);
    ends();
    failures();
    children();
    cancelled();
    return 4;
}
