// Takes memory until there is none.
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void eat(void) {
    char *block = malloc(1 << 20);
    if (block)
        memset(block, 1, 1 << 20);
}

int main(void) {
    for (;;)
        eat();
}
