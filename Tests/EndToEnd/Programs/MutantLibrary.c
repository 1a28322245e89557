// A library whose functions allocate below frames of different shapes: its call frame information is what Mutants.c damages.
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static volatile unsigned long sum;

static APART void allocate(size_t size) {
    char *block = malloc(size);
    memset(block, (int)size, size);
    sum += (unsigned char)block[size / 2];
    free(block);
}

static APART void with_array(unsigned depth) {
    volatile char room[200];
    room[depth % sizeof room] = 1;
    allocate(depth + 1);
    sum += (unsigned char)room[depth % sizeof room];
}

static APART void realigned(unsigned depth) {
    __attribute__((aligned(64))) volatile char room[64] = {0};
    room[depth % sizeof room] = 1;
    volatile char *more = alloca(depth % 64 + 16);
    more[0] = room[0];
    with_array(depth + (unsigned)((unsigned long)room & 63));
    sum += (unsigned char)more[0];
}

static APART void with_many_registers(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f) {
    realigned(a);
    with_array(a + b);
    with_array(b + c);
    with_array(c + d);
    with_array(d + e);
    sum += a * b + c * d + e * f;
}

static APART unsigned recurse(unsigned depth) {
    with_many_registers(depth, depth + 1, depth + 2, depth + 3, depth + 4, depth + 5);
    return depth ? recurse(depth - 1) + 1 : 0;
}

unsigned long work(unsigned depth) {
    sum = 0;
    sum += recurse(depth);
    return sum;
}
