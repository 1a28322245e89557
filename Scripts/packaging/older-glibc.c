// What static libraries of the toolchain ask of a glibc newer than the one that the package is linked for.
#include <sys/random.h>

// glibc 2.32, of libstdc++: false makes every count atomic.
char __libc_single_threaded = 0;

// glibc 2.36, of libstdc++.
unsigned arc4random(void) {
    unsigned number = 0;
    while (getrandom(&number, sizeof number, 0) != sizeof number) {
    }
    return number;
}
