// Starts shells while threads use the environment: what the program knows as its own stays its own.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHELLS = 40, VARIABLES = 200, NAME_BYTES = 32 };

static volatile bool done;
static char **first_environment;

static void require(bool holds, const char *what) {
    if (holds)
        return;
    puts(what);
    exit(1);
}

static void *get(void *context) {
    (void)context;
    while (!done) {
        const char *home = getenv("GAME_HOME");
        require(home && strcmp(home, "here") == 0, "a variable is gone");
        require(environ == first_environment, "the environment is another");
        require(!getenv("GAMEPROF_TRACE"), "the recorder's variables are in the program's environment");
    }
    return NULL;
}

static void name(char *text, int number) {
    snprintf(text, NAME_BYTES, "GAME_%d", number);
}

// Each is new, so that the list grows.
static void *set(void *context) {
    (void)context;
    for (int i = 0; i < VARIABLES; i++) {
        char text[NAME_BYTES];
        name(text, i);
        setenv(text, "1", 1);
        usleep(1000);
    }
    return NULL;
}

// Whoever changes the environment meanwhile may have a shell refused.
static void run_shells(bool by_popen, bool may_be_refused) {
    for (int i = 0; i < SHELLS; i++) {
        char line[64] = "";
        if (!by_popen) {
            const int status = system("test \"$0\" = sh && exit 3");
            require(status == 3 << 8 || may_be_refused, "a command of system went wrong");
            continue;
        }
        FILE *stream = popen("echo \"it's '$0' $#\"; exit 3", "r");
        require(stream || may_be_refused, "no stream");
        if (!stream)
            continue;
        fgets(line, sizeof line, stream);
        require(pclose(stream) == 3 << 8, "the command of a stream went wrong");
        require(strcmp(line, "it's 'sh' 0\n") == 0, "the command of a stream said something else");
    }
}

static void write_to_shell(void) {
    char line[200000];
    FILE *stream = popen("cat", "w");
    require(stream && fputs("written\n", stream) > 0 && pclose(stream) == 0, "nothing can be written to a command");
    memset(line, ' ', sizeof line);
    memcpy(line, "echo long", 9);
    line[120000] = 0;
    stream = popen(line, "r");
    require(stream && fgets(line, sizeof line, stream) && strcmp(line, "long\n") == 0 && pclose(stream) == 0,
            "a long command went wrong");
}

int main(int count, char **arguments) {
    const bool by_popen = count > 1 && strcmp(arguments[1], "popen") == 0;
    pthread_t getters[2], setter;
    setvbuf(stdout, NULL, _IONBF, 0);
    setenv("GAME_HOME", "here", 1);
    first_environment = environ;
    for (int i = 0; i < 2; i++)
        pthread_create(&getters[i], NULL, get, NULL);
    run_shells(by_popen, false);
    if (by_popen)
        write_to_shell();
    done = true;
    for (int i = 0; i < 2; i++)
        pthread_join(getters[i], NULL);

    pthread_create(&setter, NULL, set, NULL);
    run_shells(by_popen, true);
    pthread_join(setter, NULL);
    for (int i = 0; i < VARIABLES; i++) {
        char text[NAME_BYTES];
        name(text, i);
        require(getenv(text), "a variable that was set is gone");
    }
    puts("well");
}
