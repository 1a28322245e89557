// A frozen child whose parent has ended before the child could ask for a signal at that end.
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../Sources/Recorder/Leaks/freeze.h"
#include "Check.h"

static int ready[2];

// Returns in the child once `parent` has ended; in the parent, which ends at once, never.
static void lose_parent(pid_t parent) {
    if (fork() > 0)
        _exit(0);
    while (getppid() == parent)
        usleep(100);
}

// How gladly the kernel ends this process where memory is short.
static int out_of_memory_score(void) {
    int score = 0;
    FILE *file = fopen("/proc/self/oom_score_adj", "r");
    CHECK(file && fscanf(file, "%d", &score) == 1);
    fclose(file);
    return score;
}

static bool wanted_no_longer(void) {
    return true;
}

// A child that is given up is gone, and the reason says why; one that ends in good order has none.
static void give_up(void) {
    gp_freeze_page *const page = gp_freeze_prepare();
    CHECK(page);
    const long self = getpid();
    long child = gp_freeze_clone();
    if (child == 0) {
        gp_freeze_enter_child(self);
        for (;;)
            pause();
    }
    CHECK(child > 0 && !strcmp(gp_freeze_wait(page, child, 30, wanted_no_longer), "the heap grew on"));
    child = gp_freeze_clone();
    if (child == 0) {
        gp_freeze_enter_child(self);
        gp_freeze_leave_child(page);
    }
    CHECK(child > 0 && gp_freeze_wait(page, child, 30, NULL) == NULL);
}

int main(void) {
    char byte;
    // What ends without a parent is this process's child, and can be waited for.
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0);
    CHECK(pipe(ready) == 0);
    if (fork() == 0) {
        const pid_t parent = getpid();
        lose_parent(parent);
        gp_freeze_enter_child(parent);
        (void)!write(ready[1], "x", 1);
        _exit(1);
    }
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 0);
    int status = 1, children = 0;
    while (wait(&status) > 0)
        children += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    CHECK(children == 2);

    CHECK(pipe(ready) == 0);
    const pid_t self = getpid();
    if (fork() == 0) {
        gp_freeze_enter_child(self);
        _exit(write(ready[1], out_of_memory_score() == 1000 ? "x" : "y", 1) == 1 ? 0 : 1);
    }
    CHECK(out_of_memory_score() < 1000);
    CHECK(read(ready[0], &byte, 1) == 1 && byte == 'x');
    give_up();
    puts("passed");
}
