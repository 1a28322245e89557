// Calls abort(), whose handler jumps back into the program, with files open that it closes afterwards, and allocates.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILES = 20 };

static sigjmp_buf place;

static void jump(int signal) {
    siglongjmp(place, signal);
}

int main(void) {
    int files[FILES];
    char byte;
    for (int i = 0; i < FILES; i++) {
        files[i] = open("/etc/passwd", O_RDONLY);
        if (read(files[i], &byte, 1) != 1)
            return 1;
    }
    signal(SIGABRT, jump);
    if (sigsetjmp(place, 1) == 0)
        abort();
    for (int i = 0; i < FILES; i++)
        close(files[i]);
    char *volatile block = NULL;
    for (int i = 0; i < 200000; i++)
        free(block = malloc(16 + i % 64));
    puts("survived");
}
