// Uses blocks that it has freed, where it goes on after that, and asks which it used.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000 };

int main(void) {
    size_t (*used)(size_t, uint64_t *, size_t) =
        (size_t(*)(size_t, uint64_t *, size_t))dlsym(RTLD_DEFAULT, "gp_used_zombies");
    static uint64_t classes[MOST];
    if (!used || used(0, classes, MOST) != 0)
        return 1;
    for (int i = 0; i < 20; i++) {
        volatile int *block = malloc(32);
        block[4] = i;
        free((void *)block);
        if (block[4] < 0 || block[5] < -1)
            return 1;
    }
    const size_t count = used(0, classes, MOST);
    printf("%s %s\n", count > 0 && count <= 20 ? "some" : "none", used(count, classes, MOST) == 0 ? "no more" : "more");
    for (size_t i = 0; i < count; i++)
        if (classes[i] != 0)
            puts("a class");
}
