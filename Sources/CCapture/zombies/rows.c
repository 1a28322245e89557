#include "rows.h"

#include "lock.h"
#include "../recorder/system.h"

enum { LENGTH_MOST = 32, ROWS_WANTED = 64 };

static uint32_t length, count, fresh;
static uint64_t byte_limit, waiting_bytes;
static uint64_t *bytes_of;  // by row
static uint32_t *waiting;  // a ring of `count` rows, oldest first
static uint64_t waiting_first, waiting_end;
static uint32_t *empty, empty_count;
static gp_lock lock;

bool gp_rows_open(uint32_t graves, uint64_t bytes) {
    length = graves / ROWS_WANTED < LENGTH_MOST ? graves / ROWS_WANTED : LENGTH_MOST;
    length = length ? length : 1;
    count = graves / length;
    byte_limit = bytes;
    bytes_of = gp_system_pages(count * sizeof *bytes_of);
    waiting = gp_system_pages(count * sizeof *waiting);
    empty = gp_system_pages(count * sizeof *empty);
    return bytes_of && waiting && empty;
}

uint32_t gp_row_length(void) {
    return length;
}

void gp_row_wait(uint32_t row, uint64_t bytes) {
    gp_lock_enter(&lock);
    bytes_of[row] = bytes;
    waiting_bytes += bytes;
    waiting[waiting_end++ % count] = row;
    gp_lock_leave(&lock);
}

// Inside the lock.
static bool take_oldest(uint32_t *row, uint64_t *bytes) {
    if (waiting_first == waiting_end)
        return false;
    *row = waiting[waiting_first++ % count];
    *bytes = bytes_of[*row];
    waiting_bytes -= *bytes;
    return true;
}

bool gp_row_take_excess(uint32_t *row) {
    uint64_t bytes;
    gp_lock_enter(&lock);
    bool taken = waiting_bytes > byte_limit && take_oldest(row, &bytes);
    gp_lock_leave(&lock);
    return taken;
}

bool gp_row_take_oldest(uint32_t *row) {
    uint64_t bytes;
    gp_lock_enter(&lock);
    bool taken = take_oldest(row, &bytes);
    gp_lock_leave(&lock);
    return taken;
}

void gp_row_put_empty(uint32_t row) {
    gp_lock_enter(&lock);
    empty[empty_count++] = row;
    gp_lock_leave(&lock);
}

bool gp_row_take(uint32_t *row, uint64_t *bytes) {
    bool taken = true;
    *bytes = 0;
    gp_lock_enter(&lock);
    if (empty_count > 0)
        *row = empty[--empty_count];
    else if (fresh < count)
        *row = fresh++;
    else
        taken = take_oldest(row, bytes);
    gp_lock_leave(&lock);
    return taken;
}
