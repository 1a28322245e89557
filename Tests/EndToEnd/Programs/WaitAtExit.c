// Preloaded: a program that ends says so and waits, so that what it has can be looked at.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_ever(void) {
    puts("waiting");
    fflush(stdout);
    for (;;)
        pause();
}

// What is registered first is called last. Programs that it starts end as they are used to.
__attribute__((constructor)) static void begin(void) {
    unsetenv("LD_PRELOAD");
    atexit(wait_for_ever);
}
