// Opens a plugin late and uses an object of its after its death: PluginHost LIBRARY [deepbind] [keep]
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has(int count, char **arguments, const char *word) {
    for (int i = 2; i < count; i++)
        if (strcmp(arguments[i], word) == 0)
            return 1;
    return 0;
}

int main(int count, char **arguments) {
    int flags = RTLD_NOW | (has(count, arguments, "deepbind") ? RTLD_DEEPBIND : RTLD_LOCAL);
    void *library = count > 1 ? dlopen(arguments[1], flags) : NULL;
    if (!library)
        return puts(count > 1 ? dlerror() : "no library"), 3;
    void *(*make)(void) = (void *(*)(void))dlsym(library, "plugin_make");
    long (*use)(void *) = (long (*)(void *))dlsym(library, "plugin_use");
    void (*release)(void *) = (void (*)(void *))dlsym(library, "plugin_release");
    void *object = make();
    printf("%ld\n", use(object));
    fflush(stdout);
    if (has(count, arguments, "keep"))
        return 0;
    release(object);
    printf("%ld\n", use(object));
}
