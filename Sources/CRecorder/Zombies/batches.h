// The slots of the quarantine in batches. A thread fills a batch of its own without a lock; full batches wait in the order in
// which they were filled, and the oldest is used again, slot by slot.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Of the slots 0 ..< slots, in batches of which none is empty. `bytes`: how many the blocks of all waiting batches may have.
// False: no memory.
bool gp_batches_open(uint32_t slots, uint64_t bytes);

// How many slots a batch has; the batch's first slot is its number times that.
uint32_t gp_batch_length(void);

// A batch that is full waits.
void gp_batch_wait(uint32_t batch, uint64_t bytes);

// The oldest batch, if what waits has too many bytes: its blocks are to be given back. False: nothing is too much.
bool gp_batch_take_excess(uint32_t *batch);

// The oldest batch, whose blocks are to be given back. False: no batch waits.
bool gp_batch_take_oldest(uint32_t *batch);

// A batch that was taken has no blocks any more.
void gp_batch_put_empty(uint32_t batch);

// A batch to fill: one without blocks, or the oldest with what it holds. `bytes`: of its blocks. False: other threads are
// filling them all.
bool gp_batch_take(uint32_t *batch, uint64_t *bytes);
