#include "resident.h"

#include <sys/stat.h>

#include "arch.h"
#include "file.h"
#include "read_clock.h"
#include "system.h"
#include "trace_writer.h"
#include "words.h"

enum { INTERVAL_NS = 10 * GP_MILLISECOND_NS, KIB = 1024 };

_Atomic uint64_t gp_resident_due_ns = UINT64_MAX;
static int descriptor = -1;
static uint64_t device, inode;
static _Atomic uint32_t last_kib;

static bool identify(uint64_t *found_device, uint64_t *found_inode) {
    struct stat status;
    if (gp_system(fstat, descriptor, &status) < 0)
        return false;
    *found_device = status.st_dev;
    *found_inode = status.st_ino;
    return true;
}

// The program may have closed the descriptor, and opened another file under its number.
static bool is_ours(void) {
    uint64_t found_device, found_inode;
    return identify(&found_device, &found_inode) && found_device == device && found_inode == inode;
}

// "size resident shared …", in pages. 0: not known.
static uint32_t resident_kib(void) {
    char text[128];
    const long length = is_ours() ? gp_system(pread64, descriptor, text, sizeof text - 1, 0) : 0;
    if (length <= 0)
        return 0;
    text[length] = 0;
    const char *rest = text;
    gp_word size;
    if (!gp_word_next(&rest, " ", &size))
        return 0;
    const uint64_t pages = gp_number_at(rest);
    const uint32_t page = (uint32_t)gp_page_size() / KIB;
    return pages < UINT32_MAX / page ? (uint32_t)pages * page : 0;
}

static void write_now(struct gp_thread *thread, uint64_t now_ns) {
    const uint32_t kib = resident_kib();
    if (kib == 0 || atomic_exchange(&last_kib, kib) == kib)
        return;
    gp_write_cell(thread, &(gp_resident){.kind = GP_RESIDENT, .kib = kib, .ns = now_ns});
}

// A descriptor from before a fork is that of the parent's memory.
void gp_resident_open(void) {
    if (is_ours())
        gp_system(close, descriptor);
    atomic_store(&last_kib, 0);
    const long file = gp_system(openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    descriptor = gp_file_move_high((int)file);
    if (identify(&device, &inode))
        atomic_store(&gp_resident_due_ns, 0);
}

// Of threads that come at once one writes.
void gp_resident_write(struct gp_thread *thread, uint64_t now_ns) {
    uint64_t due = atomic_load(&gp_resident_due_ns);
    if (now_ns >= due && atomic_compare_exchange_strong(&gp_resident_due_ns, &due, now_ns + INTERVAL_NS))
        write_now(thread, now_ns);
}

void gp_resident_close(struct gp_thread *thread, uint64_t now_ns) {
    if (atomic_exchange(&gp_resident_due_ns, UINT64_MAX) == UINT64_MAX)
        return;
    write_now(thread, now_ns);
    if (is_ours())
        gp_system(close, descriptor);
}
