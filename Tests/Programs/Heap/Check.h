// What the programs of this folder end by.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do                                                                                                                 \
        if (!(condition)) {                                                                                            \
            printf("failed: line %d: %s\n", __LINE__, #condition);                                                     \
            exit(1);                                                                                                   \
        }                                                                                                              \
    while (0)

#endif
