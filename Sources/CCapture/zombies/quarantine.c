#include "quarantine.h"

#include <stdatomic.h>

#include "burial.h"
#include "layout.h"
#include "rows.h"
#include "../recorder/system.h"
#include "thread.h"
#include "zombie_record.h"

uintptr_t gp_graves_base, gp_graves_size;
gp_grave *gp_graves;
static uint32_t grave_count;
static uint64_t byte_limit;

// When more uses were continued than are told, nobody is accused falsely by a grave that is used again.
enum { LARGEST_SHARE = 8, ROW_SHARE = 1024, KEEPING_SHARE = 2 };

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

// The grave that has the block of this one, NULL: none any more.
static gp_grave *owner_of(const gp_grave *grave) {
    gp_live_entry *place = gp_live_find(grave->address);
    return place ? gp_quarantine_of_entry(*place, grave->address) : NULL;
}

// A block with a page of its own has no entry that names a grave.
static bool is_disowned(const gp_grave *grave) {
    return !(grave->flags & GP_ZOMBIE_GUARDED) && owner_of(grave) != grave;
}

// `second` holds what `first` holds, or held (NULL).
static void report_second_free(struct gp_thread *thread, gp_grave *first, gp_grave *second) {
    gp_grave unknown = *second;
    unknown.deallocated = 0;
    unknown.flags = GP_ZOMBIE_NO_DEATH;
    if (!(second->flags & GP_GRAVE_TOLD))
        gp_zombie_report(thread, first ? first : &unknown,
                         &(gp_zombie_use){
                             .access = GP_ACCESS_FREE,
                             .flags = GP_ZOMBIE_CONTINUED,
                             .stack = second->deallocated,
                             .thread = second->thread,
                             .time_ns = second->time_ns,
                         });
    second->flags |= GP_GRAVE_TOLD;
}

static void tell_disowned(struct gp_thread *thread, gp_grave *grave) {
    gp_grave *owner = owner_of(grave);
    report_second_free(thread, owner, grave);
    // Both filled the block, word by word.
    if (owner)
        gp_poison((uintptr_t *)owner->address, gp_grave_words(owner), gp_grave_number(owner));
}

void gp_grave_disowned(struct gp_thread *thread, gp_deaths *deaths, gp_grave *grave) {
    tell_disowned(thread, grave);
    deaths->buried--;
    __atomic_store_n(&grave->state, grave->state + 1, __ATOMIC_RELEASE);
}

// Another grave that holds this one's block and filled this word of it, NULL: the program wrote it.
static gp_grave *filler_of(const gp_grave *grave, size_t index) {
    uintptr_t word = ((const uintptr_t *)grave->address)[index], filling = index == 1 ? word << 3 : word;
    gp_grave *other = gp_in_graves(filling) ? gp_quarantine_grave(gp_touch_of(filling).grave) : NULL;
    return other && other != grave && gp_grave_is_held(other) && other->address == grave->address ? other : NULL;
}

void gp_grave_broken(struct gp_thread *thread, gp_grave *grave) {
    ptrdiff_t word = gp_poison_broken((const uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
    gp_grave *other = word >= 0 ? filler_of(grave, (size_t)word) : NULL;
    if (other)
        report_second_free(thread, grave, other);
    else if (word >= 0 && !(grave->flags & GP_ZOMBIE_CONTINUED))
        gp_zombie_report(thread, grave, &(gp_zombie_use){.access = GP_ACCESS_WRITTEN, .offset = word * 8});
}

bool gp_grave_keeps(gp_grave *grave) {
    static _Atomic uint32_t keeping;
    uint32_t most = grave_count / KEEPING_SHARE < GP_REPORTS_MOST ? grave_count / KEEPING_SHARE : GP_REPORTS_MOST;
    if (grave->flags & GP_GRAVE_KEEPS)
        return true;
    if (atomic_fetch_add_explicit(&keeping, 1, memory_order_relaxed) < most) {
        grave->flags |= GP_GRAVE_KEEPS;
        return true;
    }
    uintptr_t table = gp_grave_start(gp_grave_number(grave)) + GP_GRAVE_COUNTS;
    gp_system(mprotect, table & ~(uintptr_t)4095, 4096, PROT_NONE);
    return false;
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

void gp_quarantine_inspect(struct gp_thread *thread) {
    for (gp_grave *grave = gp_graves; grave < gp_graves + grave_count; grave++) {
        if (!gp_grave_is_held(grave))
            continue;
        if (is_disowned(grave)) {
            tell_disowned(thread, grave);
            continue;
        }
        if (gp_grave_stands(grave))
            continue;
        gp_grave_broken(thread, grave);
        // Whoever looks again tells of a later write.
        gp_poison((uintptr_t *)grave->address, gp_grave_words(grave), gp_grave_number(grave));
    }
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
