// A program that brings what looks like a Swift runtime of another version: classes whose metadata has moved.
#include <stdio.h>

#define RUNTIME_DATA(name, symbol)                                                                                     \
    extern const long name[64] __asm__(symbol) __attribute__((visibility("default")));                                 \
    const long name[64] = {0x7777, 1, 2, 3}

RUNTIME_DATA(string_storage, "$ss15__StringStorageCN");
RUNTIME_DATA(integer, "$sSiN");
RUNTIME_DATA(string, "$sSSN");
RUNTIME_DATA(boolean, "$sSbN");

int main(void) {
    puts("runs all the same");
    return 0;
}
