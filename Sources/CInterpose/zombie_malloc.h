// The malloc family while zombies are recorded. pc, sp and fp: the caller's registers as gp_registers has them.
#ifndef GP_ZOMBIE_MALLOC_H
#define GP_ZOMBIE_MALLOC_H

#include <stddef.h>
#include <stdint.h>

void *gp_zombie_malloc(size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void *gp_zombie_calloc(size_t count, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void *gp_zombie_aligned(size_t alignment, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void *gp_zombie_realloc(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp);
void gp_zombie_free(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// What malloc and free do unless only samples are watched. They are jumped to: their caller is the program.
typedef struct {
    void *(*malloc)(size_t size);
    void (*free)(void *block);
} gp_busiest;

extern __attribute__((visibility("hidden"))) gp_busiest gp_busiest_now;

// Zombies are recorded from now on.
void gp_zombie_take_over(void);

#endif
