// Keeps a megabyte until a memory warning comes, at most ten seconds, and 4 KiB. With a number it warns itself when it has so many bytes.
// exit: the warning ends the program; wait: it waits for the main thread, which returns.
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHE_BYTES = 1 << 20, KEPT_BYTES = 4096 };

static char *_Atomic cache, *kept;

static void give_back(void) {
    free(atomic_exchange(&cache, NULL));
}

static void end(void) {
    exit(0);
}

static void wait_for_main(void) {
    give_back();
    for (;;)
        pause();
}

int main(int count, char **words) {
    const char *const word = count > 1 ? words[1] : "";
    const bool ends = !strcmp(word, "exit"), waits = !strcmp(word, "wait");
    void (*on_warning)(void (*)(void)) = (void (*)(void (*)(void)))dlsym(RTLD_DEFAULT, "gp_on_memory_warning");
    kept = memset(malloc(KEPT_BYTES), 1, KEPT_BYTES);
    atomic_store(&cache, memset(malloc(CACHE_BYTES), 1, CACHE_BYTES));
    if (on_warning)
        on_warning(ends ? end : waits ? wait_for_main : give_back);
    void (*warn_at)(uint64_t) = (void (*)(uint64_t))dlsym(RTLD_DEFAULT, "gp_send_memory_warnings");
    if (warn_at && *word && !ends && !waits)
        warn_at(strtoull(word, NULL, 10));
    for (int i = 0; i < 1000 && atomic_load(&cache); i++)
        usleep(10000);
    usleep(50000);
    puts(atomic_load(&cache) ? "kept" : "given back");
}
