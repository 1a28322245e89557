// Loses a block, and takes away what a search for leaks needs: files (descriptors), closed (the standard files), root FOLDER
// (/proc); exit: main does not return.
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int count, char **arguments) {
    void *volatile lost = malloc(77);
    lost = NULL;
    if (count < 2)
        return 0;
    if (!strcmp(arguments[1], "files"))
        return setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3});
    if (!strcmp(arguments[1], "closed"))
        return close(0) + close(1) + close(2);
    if (!strcmp(arguments[1], "root"))
        return chroot(arguments[2]);
    if (!strcmp(arguments[1], "exit"))
        exit(0);
    return 0;
}
