#if defined(__x86_64__)

#include <cpuid.h>
#include <string.h>

#include "arch.h"

// The brand string is padded with spaces, on some processors in front.
void gp_processor_name(char name[GP_PROCESSOR_NAME_BYTES]) {
    enum { FIRST = 0x80000002, LEAVES = 3 };
    unsigned words[LEAVES * 4] = {0};
    for (unsigned leaf = 0; leaf < LEAVES; leaf++) {
        unsigned *four = words + leaf * 4;
        __get_cpuid(FIRST + leaf, &four[0], &four[1], &four[2], &four[3]);
    }
    char text[sizeof words + 1] = {0};
    memcpy(text, words, sizeof words);
    const char *start = text + strspn(text, " ");
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ')
        length--;
    memcpy(name, start, length);
    name[length] = 0;
}

bool gp_ticks_are_steady(void) {
    enum { LEAF = 0x80000007, IS_INVARIANT = 1 << 8 };
    unsigned a, b, c, d;
    return __get_cpuid(LEAF, &a, &b, &c, &d) && (d & IS_INVARIANT);
}

#endif
