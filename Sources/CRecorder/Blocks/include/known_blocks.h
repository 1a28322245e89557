// The hooks where blocks are sampled and yet all of them must be known, for a search of the whole heap: those that are not
// sampled stand in the live table without a stack, and in no record. Callers ask gp_recording_is_on() first.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A block was allocated (NULL is permitted); otherwise as gp_on_alloc. `takes`: it is sampled.
void *gp_on_known_alloc(void *block, size_t size, uint8_t how, bool takes, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// A block is about to be freed.
void gp_on_known_free(void *block);

struct gp_thread;

// The free of a sampled block is about to be written by its thread.
void gp_known_free_begins(struct gp_thread *thread, const void *block);
