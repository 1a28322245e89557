#include "batches.h"

#include "lock.h"
#include "system.h"

enum { LENGTH_MOST = 32, ROWS_WANTED = 64 };

static uint32_t length, count, fresh;
static uint64_t byte_limit, waiting_bytes;
static uint64_t *bytes_of;  // by batch
static uint32_t *waiting;  // a ring of `count` batches, oldest first
static uint64_t waiting_first, waiting_end;
static uint32_t *empty, empty_count;
static gp_lock lock;

bool gp_batches_open(uint32_t slots, uint64_t bytes) {
    length = slots / ROWS_WANTED < LENGTH_MOST ? slots / ROWS_WANTED : LENGTH_MOST;
    length = length ? length : 1;
    count = slots / length;
    byte_limit = bytes;
    bytes_of = gp_system_pages(count * sizeof *bytes_of);
    waiting = gp_system_pages(count * sizeof *waiting);
    empty = gp_system_pages(count * sizeof *empty);
    return bytes_of && waiting && empty;
}

uint32_t gp_batch_length(void) {
    return length;
}

void gp_batch_wait(uint32_t batch, uint64_t bytes) {
    gp_lock_enter(&lock);
    bytes_of[batch] = bytes;
    waiting_bytes += bytes;
    waiting[waiting_end++ % count] = batch;
    gp_lock_leave(&lock);
}

// Inside the lock.
static bool take_oldest(uint32_t *batch, uint64_t *bytes) {
    if (waiting_first == waiting_end)
        return false;
    *batch = waiting[waiting_first++ % count];
    *bytes = bytes_of[*batch];
    waiting_bytes -= *bytes;
    return true;
}

bool gp_batch_take_excess(uint32_t *batch) {
    uint64_t bytes;
    gp_lock_enter(&lock);
    bool taken = waiting_bytes > byte_limit && take_oldest(batch, &bytes);
    gp_lock_leave(&lock);
    return taken;
}

bool gp_batch_take_oldest(uint32_t *batch) {
    uint64_t bytes;
    gp_lock_enter(&lock);
    bool taken = take_oldest(batch, &bytes);
    gp_lock_leave(&lock);
    return taken;
}

void gp_batch_put_empty(uint32_t batch) {
    gp_lock_enter(&lock);
    empty[empty_count++] = batch;
    gp_lock_leave(&lock);
}

bool gp_batch_take(uint32_t *batch, uint64_t *bytes) {
    bool taken = true;
    *bytes = 0;
    gp_lock_enter(&lock);
    if (empty_count > 0)
        *batch = empty[--empty_count];
    else if (fresh < count)
        *batch = fresh++;
    else
        taken = take_oldest(batch, bytes);
    gp_lock_leave(&lock);
    return taken;
}
