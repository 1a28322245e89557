// Children that end in all ways, each waited for by another function; says how each ended.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t handled;
static int handled_status;

static pid_t child(int signal, int code) {
    fflush(stdout);
    const pid_t process = fork();
    if (process != 0)
        return process;
    usleep(20000);
    if (signal == SIGSEGV)
        *(volatile int *)8 = 1;
    if (signal)
        kill(getpid(), signal);
    syscall(SYS_exit_group, code);
    return 0;
}

static void say(const char *how, int status) {
    printf("%s: %s %d\n", how, WIFSIGNALED(status) ? "signal" : "code",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

// As a server has it: with a status that nobody asks for.
static void handler(int signal) {
    (void)signal;
    while (waitpid(handled, &handled_status, WNOHANG) > 0)
        handled = 0;
}

int main(void) {
    int status = -1;
    struct rusage used;
    siginfo_t info = {0};
    // Who started this program may block signals.
    sigset_t blocked, none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    child(SIGKILL, 0);
    wait(&status);
    say("wait", status);
    waitpid(child(SIGSEGV, 0), &status, 0);
    say("waitpid", status);
    child(SIGQUIT, 0);
    wait3(&status, 0, &used);
    say("wait3", status);
    wait4(child(SIGUSR1, 0), &status, 0, &used);
    say("wait4", status);
    const pid_t process = child(SIGUSR2, 0);
    waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT);
    waitid(P_PID, (id_t)process, &info, WEXITED);
    printf("waitid: %d %d\n", info.si_code, info.si_status);
    waitpid(child(0, 9), NULL, 0);
    printf("no child: %d\n", (int)waitpid(-1, NULL, 0));
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    sigaction(SIGCHLD, &action, NULL);
    handled = child(SIGPIPE, 0);
    while (handled)
        sigsuspend(&none);
    say("handler", handled_status);
    return 0;
}
