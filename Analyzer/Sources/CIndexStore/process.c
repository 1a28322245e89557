#define _GNU_SOURCE
#include "library.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processor seconds and bytes of memory beyond which a record can only be damaged, and seconds after which what is waited for,
   such as a FIFO in the place of a record, will not come. */
enum { SECONDS_LIMIT = 20, WAITING_LIMIT = 300 };
static const rlim_t MEMORY_LIMIT = (rlim_t)8 << 30;

/* A crash is expected here and none of the user's business: no report, no core file. */
static void be_quiet(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGFPE, SIGPIPE, SIGINT, SIGTERM, SIGALRM};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++)
        signal(signals[index], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm(WAITING_LIMIT);
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_LIMIT, SECONDS_LIMIT});
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        for (int descriptor = 0; descriptor < 3; descriptor++)
            dup2(nowhere, descriptor);
    }
}

int gp_index_start(const struct gp_index_library *library, const char *store, const struct gp_index_request *requests,
                   size_t count, int *descriptor, pid_t *process) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    pid_t child = fork();
    if (child < 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        return error;
    }
    if (child == 0) {
        close(ends[0]);
        be_quiet();
        setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY_LIMIT, MEMORY_LIMIT});
        gp_index_answer(library, store, requests, count, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    *descriptor = ends[0];
    *process = child;
    return 0;
}

void gp_index_stop(pid_t process) {
    kill(process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
}
