// A block that a handler makes: its stack goes on behind the signal's frame.
#include <signal.h>
#include <stdlib.h>

static void *volatile lost;

__attribute__((noinline)) static void on_signal(int number) {
    lost = malloc(444 + (size_t)number);
    lost = NULL;
}

__attribute__((noinline)) static void be_interrupted(void) {
    raise(SIGUSR1);
    __asm__ volatile("");
}

int main(void) {
    signal(SIGUSR1, on_signal);
    be_interrupted();
    return 0;
}
