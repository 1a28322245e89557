// Becomes or starts another program in the way that its first argument names; the second is the program.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, STARTS = 25, LOST = 8 };

static char *const *arguments;

__attribute__((noinline)) static void lose(void) {
    void *volatile block;
    for (int i = 0; i < LOST; i++) {
        block = malloc(1234);
        memset(block, 1, 1234);
    }
    block = NULL;
}

static void *churn(void *context) {
    for (;;) {
        void *volatile block = malloc(100);
        free(block);
    }
    return context;
}

static void *start_many(void *context) {
    for (int i = 0; i < STARTS; i++) {
        pid_t child;
        if (posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ) == 0)
            waitpid(child, NULL, 0);
    }
    return context;
}

static void wait_for(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
}

static void start_threads(void *(*routine)(void *)) {
    pthread_t thread;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread, NULL, routine, NULL);
}

static int leak(int count, char **words) {
    lose();
    for (int i = 1; i < count; i++)
        printf("%s ", words[i]);
    for (char **variable = environ; *variable; variable++)
        if (strstr(*variable, "GAMEPROF") || strstr(*variable, "GameCapture"))
            printf("sees %s ", *variable);
    printf("\n");
    return 5;
}

int main(int count, char **words) {
    const char *how = count > 2 ? words[1] : "leak";
    char *program = count > 2 ? words[2] : NULL, line[4096];
    char *const passed[] = {program, "a", NULL}, *const other[] = {"OTHER=1", NULL};
    arguments = passed;
    snprintf(line, sizeof line, "%s b", program ? program : "");
#define IS(name) (strcmp(how, name) == 0)
    if (IS("leak"))
        return leak(count, words);
    if (IS("execv"))
        execv(program, passed);
    if (IS("execve"))
        execve(program, passed, other);
    if (IS("execvp"))
        execvp(program, passed);
    if (IS("execl"))
        execl(program, program, "a", (char *)NULL);
    if (IS("execle"))
        execle(program, program, "a", (char *)NULL, other);
    if (IS("fexecve"))
        fexecve(open(program, O_RDONLY | O_CLOEXEC), passed, environ);
    if (IS("threads-execv")) {
        start_threads(churn);
        execv(program, passed);
    }
    if (IS("missing")) {
        execv("/nowhere", passed);
        printf("%s\n", strerror(errno));
        return leak(1, words);
    }
    if (IS("fork")) {
        pid_t child = fork();
        if (child == 0)
            execv(program, passed);
        wait_for(child);
    }
    if (IS("workers")) {
        for (int i = 0; i < 3; i++) {
            pid_t child = fork();
            if (child == 0) {
                if (i == 2)
                    execv("/nowhere", passed);
                exit(0);
            }
            waitpid(child, NULL, 0);
        }
    }
    if (IS("vfork")) {
        pid_t child = vfork();
        if (child == 0)
            execv(program, passed);
        wait_for(child);
    }
    if (IS("threads-fork")) {
        start_threads(churn);
        for (int i = 0; i < STARTS; i++) {
            pid_t child = fork();
            if (child == 0) {
                execv(program, passed);
                _exit(9);
            }
            waitpid(child, NULL, 0);
        }
    }
    if (IS("threads-spawn")) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, start_many, NULL);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    if (IS("spawn")) {
        pid_t child;
        posix_spawn(&child, program, NULL, NULL, passed, environ);
        wait_for(child);
    }
    if (IS("system")) {
        fflush(stdout);
        printf("system %d\n", WEXITSTATUS(system(line)));
    }
    if (IS("popen")) {
        FILE *stream = popen(line, "r");
        while (fgets(line, sizeof line, stream))
            printf("read %s", line);
        printf("popen %d\n", WEXITSTATUS(pclose(stream)));
    }
    return 0;
}
