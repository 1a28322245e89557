// Keeps a megabyte until a memory warning comes, at most ten seconds. With an argument it warns itself when it has so many bytes.
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHE_BYTES = 1 << 20 };

static char *_Atomic cache;

static void give_back(void) {
    free(atomic_exchange(&cache, NULL));
}

int main(int count, char **words) {
    void (*on_warning)(void (*)(void)) = (void (*)(void (*)(void)))dlsym(RTLD_DEFAULT, "gp_on_memory_warning");
    atomic_store(&cache, memset(malloc(CACHE_BYTES), 1, CACHE_BYTES));
    if (on_warning)
        on_warning(give_back);
    void (*warn_at)(uint64_t) = (void (*)(uint64_t))dlsym(RTLD_DEFAULT, "gp_send_memory_warnings");
    if (warn_at && count > 1)
        warn_at(strtoull(words[1], NULL, 10));
    for (int i = 0; i < 1000 && atomic_load(&cache); i++)
        usleep(10000);
    usleep(50000);
    puts(atomic_load(&cache) ? "kept" : "given back");
}
