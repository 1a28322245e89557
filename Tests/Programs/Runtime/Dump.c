// A preload library that knows every live block and says what the recorder recognises. Programs find its functions by name.
#include <stdio.h>
#include <stdlib.h>

#include "TraceFormat.h"
#include "live_table.h"
#include "swift_types.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void *put(void *block, size_t size) {
    if (block != NULL) {
        gp_live_put((uintptr_t)block, size, 0, 0);
    }
    return block;
}

static void take(void *block) {
    gp_block known;
    if (block != NULL) {
        gp_live_take((uintptr_t)block, &known);
    }
}

void *malloc(size_t size) {
    return put(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size) {
    return put(__libc_calloc(count, size), count * size);
}

void *realloc(void *block, size_t size) {
    take(block);
    return put(__libc_realloc(block, size), size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = put(__libc_memalign(alignment, size), size);
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return put(__libc_memalign(alignment, size), size);
}

void free(void *block) {
    take(block);
    __libc_free(block);
}

void gp_write_cell(struct gp_thread *thread, const void *cell) {
    (void)thread, (void)cell;
}

void gp_write_record(struct gp_thread *thread, void *fixed, size_t fixed_size, const void *tail, size_t tail_size) {
    (void)thread, (void)fixed, (void)fixed_size, (void)tail, (void)tail_size;
}

void runtime_check(void) {
    const char *complaint = gp_runtime_self_check();
    complaint = complaint == NULL ? gp_runtime_object_check() : complaint;
    printf("%s\n", complaint == NULL ? "as expected" : complaint);
    fflush(stdout);
}

// Counts as a Swift object each of the words given that does: random memory must not.
unsigned runtime_kinds(const uintptr_t *words, size_t count) {
    unsigned objects = 0;
    for (size_t i = 0; i < count; i++) {
        objects += gp_type_kind(words[i], 4096) >= 0;
    }
    return objects;
}
