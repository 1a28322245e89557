// Allocates before main, in libc and itself, and says which of its own allocations it did not get. With the argument “careless” it
// uses what it did not get.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile early;

static void __attribute__((constructor)) before(void) {
    early = malloc(10);
}

__attribute__((noinline)) static void *load(size_t size) {
    errno = 0;
    void *volatile block = malloc(size);
    return block;
}

static void say(const char *what, const void *block) {
    printf("%s %s\n", what, block ? "made" : errno == ENOMEM ? "no memory" : "?");
}

int main(int count, char **words) {
    char *volatile copy = strdup("libc's");
    say("first", load(100));
    void *volatile second = load(4096);
    if (count > 1 && strcmp(words[1], "careless") == 0)
        memset(second, 1, 4096);
    say("second", second);
    void *volatile third = realloc(early, 1000);
    say("third", third);
    void *volatile fourth = calloc(3, 10);
    say("fourth", fourth);
    void *fifth = NULL;
    printf("fifth %s\n", posix_memalign(&fifth, 64, 100) == ENOMEM ? "no memory" : "made");
    free(copy);
}
