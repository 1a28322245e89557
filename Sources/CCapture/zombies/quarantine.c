#include "quarantine.h"

#include "burial.h"
#include "layout.h"
#include "rows.h"
#include "../recorder/system.h"
#include "thread.h"

uintptr_t gp_graves_base, gp_graves_size;
gp_grave *gp_graves;
static uint32_t grave_count;
static uint64_t byte_limit;

enum { LARGEST_SHARE = 8, ROW_SHARE = 1024 };

uint64_t gp_quarantine_space(uint32_t count) {
    return ((uint64_t)count + GP_PINNED_MOST) << GP_GRAVE_BITS;
}

bool gp_quarantine_open(uint64_t bytes, uint32_t count) {
    uint64_t all = (uint64_t)count + GP_PINNED_MOST, space = gp_quarantine_space(count);
    long address =
        gp_system(mmap, 0, space + (1 << GP_GRAVE_BITS), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address < 0 && address > -4096)
        return false;
    gp_graves = gp_system_pages(all * sizeof(gp_grave));
    if (!gp_graves || !gp_rows_open(count, bytes)) {
        gp_system(munmap, address, space + (1 << GP_GRAVE_BITS));
        return false;
    }
    gp_graves_base = ((uintptr_t)address + (1 << GP_GRAVE_BITS) - 1) & ~(uintptr_t)((1 << GP_GRAVE_BITS) - 1);
    gp_graves_size = space;
    grave_count = count;
    byte_limit = bytes;
    return true;
}

static void empty(struct gp_thread *thread, gp_deaths *deaths, gp_grave *from, gp_grave *end,
                  void (*give_back)(void *block)) {
    for (gp_grave *grave = from; grave < end; grave++)
        if (gp_grave_is_held(grave))
            (void)gp_grave_empty(thread, deaths, grave, give_back);
}

// How many bytes a row's blocks have together, unless one alone has more.
static int64_t row_room(void) {
    return (int64_t)(byte_limit / ROW_SHARE);
}

// The thread's row waits. What its last graves still hold is older than all else.
static void leave_row(struct gp_thread *thread, gp_deaths *deaths, void (*give_back)(void *block)) {
    if (!deaths->end)
        return;
    empty(thread, deaths, deaths->next, deaths->end, give_back);
    gp_row_wait(gp_grave_number(deaths->end) / gp_row_length() - 1, (uint64_t)(row_room() - deaths->room));
    deaths->next = deaths->end = NULL;
}

// A row to fill. Of one that is used again, what has more bytes than usual leaves at once: the thread may rest before it
// has used all graves.
static bool open_row(struct gp_thread *thread, gp_deaths *deaths, void (*give_back)(void *block)) {
    uint32_t row, length = gp_row_length();
    uint64_t bytes;
    while (gp_row_take_excess(&row)) {
        empty(thread, deaths, gp_graves + row * length, gp_graves + (row + 1) * length, give_back);
        gp_row_put_empty(row);
    }
    if (!gp_row_take(&row, &bytes))
        return false;
    deaths->next = gp_graves + row * length;
    deaths->end = deaths->next + length;
    deaths->room = row_room();
    if (bytes > 2 * (uint64_t)row_room())
        empty(thread, deaths, deaths->next, deaths->end, give_back);
    return true;
}

gp_grave *gp_grave_elsewhere(struct gp_thread *thread, gp_deaths *deaths, uint64_t size,
                             void (*give_back)(void *block)) {
    deaths->room += (int64_t)size;
    bool fits = size <= byte_limit / LARGEST_SHARE;
    // A row that has room takes one block more than that.
    bool stays = deaths->room > 0 && deaths->next != deaths->end;
    if (fits && !stays) {
        leave_row(thread, deaths, give_back);
        fits = open_row(thread, deaths, give_back);
    }
    if (!fits) {
        deaths->passed_by++;
        return NULL;
    }
    deaths->room -= (int64_t)size;
    return deaths->next;
}

bool gp_quarantine_give_way(struct gp_thread *thread, gp_deaths *deaths, void (*give_back)(void *block)) {
    uint32_t row, length = gp_row_length();
    if (!gp_row_take_oldest(&row)) {
        leave_row(thread, deaths, give_back);
        if (!gp_row_take_oldest(&row))
            return false;
    }
    empty(thread, deaths, gp_graves + row * length, gp_graves + (row + 1) * length, give_back);
    gp_row_put_empty(row);
    return true;
}

gp_grave *gp_quarantine_of_entry(gp_live_entry entry, uintptr_t address) {
    uint64_t number = entry >> 4;
    if ((entry & 15) != 0 || number == 0 || number > grave_count)
        return NULL;
    gp_grave *grave = &gp_graves[number - 1];
    return grave->address == address ? grave : NULL;
}

gp_grave *gp_quarantine_grave(uint32_t number) {
    return number < grave_count + GP_PINNED_MOST ? &gp_graves[number] : NULL;
}

uint32_t gp_quarantine_first_pinned(void) {
    return grave_count;
}

gp_quarantine_counts gp_quarantine_count(void) {
    gp_quarantine_counts counts = {.byte_limit = byte_limit, .count_limit = grave_count};
    for (gp_thread *thread = gp_thread_first(); thread; thread = thread->next) {
        if (!thread->deaths)
            continue;
        counts.buried += thread->deaths->buried;
        counts.evicted += thread->deaths->evicted;
        counts.evicted_bytes += thread->deaths->evicted_bytes;
        counts.passed_by += thread->deaths->passed_by;
    }
    for (const gp_grave *grave = gp_graves; grave < gp_graves + grave_count; grave++) {
        if (!gp_grave_is_held(grave))
            continue;
        counts.kept++;
        counts.kept_bytes += grave->size;
    }
    return counts;
}
