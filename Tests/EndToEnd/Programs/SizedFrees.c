// Frees blocks by the functions of C23, where something has them: a glibc from 2.43 on, a library that stands in for it (STAND_IN),
// or one whose functions of these names are of its own (OWN). LIBC plays a newer glibc.
#include <stdio.h>
#include <stdlib.h>

#ifdef LIBC
extern void __libc_free(void *block);
#define FREE(block) __libc_free(block)
#elif defined STAND_IN
#define FREE(block) free(block)
#elif defined OWN
static int given_back;
int count_given_back(void) {
    return given_back;
}
#define FREE(block) (void)(given_back += block != NULL)
#endif

#ifdef FREE
void free_sized(void *block, size_t size) {
    (void)size;
    FREE(block);
}

void free_aligned_sized(void *block, size_t alignment, size_t size) {
    (void)alignment;
    (void)size;
    FREE(block);
}
#else
__attribute__((weak)) void free_sized(void *block, size_t size);
__attribute__((weak)) void free_aligned_sized(void *block, size_t alignment, size_t size);
__attribute__((weak)) int count_given_back(void);

// A program that is built for an old C library does without.
static void give_back(void *block, size_t alignment, size_t size) {
    if (!free_sized || !free_aligned_sized)
        free(block);
    else if (alignment)
        free_aligned_sized(block, alignment, size);
    else
        free_sized(block, size);
}

__attribute__((noinline)) static void come_and_go(void) {
    for (int i = 0; i < 50; i++) {
        void *volatile block = malloc(555), *volatile aligned = aligned_alloc(64, 640);
        give_back(block, 0, 555);
        give_back(aligned, 64, 640);
    }
    give_back(NULL, 0, 0);
}

int main(void) {
    come_and_go();
    char words[4096] = {0};
    __asm__ volatile("" ::"r"(words) : "memory");
    printf("%d\n", count_given_back ? count_given_back() : 0);
    return 0;
}
#endif
