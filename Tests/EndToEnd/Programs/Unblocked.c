// Runs a program with no signal blocked, which a debugger needs: the test's thread blocks most of them.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (argc > 1)
        execvp(argv[1], argv + 1);
    perror("execvp");
    return 1;
}
