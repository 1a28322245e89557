// Ends in the way that its first argument names, and writes large files for it where that takes one.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *volatile kept;

static void record(long count) {
    for (long i = 0; i < count; i++) {
        kept = malloc(16 + i % 64 * 16);
        free(kept);
        kept = NULL;
    }
}

// A line of standard input lets it go on; several blocks live at once, so that events cannot be written as one.
static int wait_between(void) {
    char line[16];
    record(1000);
    puts("ready");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return 1;
    for (long i = 0; i < 4000000; i++) {
        void *volatile one = malloc(24), *volatile other = malloc(100);
        free(one);
        free(other);
    }
    puts("done");
    return 0;
}

// Whether something will still ask for a sample: a timer of the process, or an event of the kernel's on a descriptor.
static int is_armed(void) {
    char name[64], target[256];
    FILE *timers = fopen("/proc/self/timers", "r");
    int found = timers && fgetc(timers) != EOF;
    if (timers)
        fclose(timers);
    for (int descriptor = 0; descriptor < 4096 && !found; descriptor++) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(name, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        found = strstr(target, "perf_event") != NULL;
    }
    return found;
}

// The same as wait_between, while it is sampled. Then it works until it is not any more, but not for ever.
static int wait_until_disarmed(void) {
    if (!is_armed() || wait_between() != 0)
        return 1;
    while (is_armed() && clock() < 30 * CLOCKS_PER_SEC)
        record(1000);
    puts(is_armed() ? "armed" : "disarmed");
    return 0;
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
    if (strcmp(how, "wait") == 0)
        return wait_between();
    if (strcmp(how, "sampled") == 0)
        return wait_until_disarmed();
    record(1000);
    if (strcmp(how, "some") == 0)
        record(60000);
    if (strcmp(how, "rest") == 0)
        usleep(1000000);
    if (strcmp(how, "exit_group") == 0)
        syscall(SYS_exit_group, 0);
    if (strcmp(how, "many") == 0)
        record(400000);
    if (*how == '-') {
        // Whoever started the program may have blocked or ignored it.
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(atoi(how + 1), SIG_DFL);
        raise(atoi(how + 1));
    }
    return 0;
}
