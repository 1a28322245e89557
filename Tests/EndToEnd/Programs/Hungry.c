// Takes memory until there is none.
#include <stdlib.h>
#include <string.h>

static char *volatile last;

__attribute__((noinline)) static void eat(void) {
    last = malloc(1 << 20);
    if (!last)
        abort();
    memset(last, 1, 1 << 20);
}

int main(void) {
    for (;;)
        eat();
}
