#include "exec_propagation.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "TraceFormat.h"
#include "arch.h"
#include "exec_environment.h"
#include "lock.h"
#include "mapping.h"

// What takes a program's place may be started on a stack of one page (Swift's crash reporter is), so that the room to
// look at it lies here. A signal handler may call exec while its thread does that: it waits in vain.
enum { PAGE = GP_PAGE_MOST, SPARE = 64 << 10, PATIENCE_NS = 500000000 };

static gp_program_room room;

// For an environment where none can be mapped: a shell that limits its address space (ulimit -v) may have more already.
static char spare[SPARE];

// The locks of both, in a page that the kernel wipes in every child made by fork: there they are free whoever had them.
static union {
    struct {
        gp_lock lock, spare;
    };
    char page[PAGE];
} in_use __attribute__((aligned(PAGE)));

static bool take_room(void) {
    static _Atomic bool wiped;
    if (!atomic_exchange_explicit(&wiped, true, memory_order_relaxed))
        madvise(&in_use, PAGE, MADV_WIPEONFORK);
    return gp_lock_try(&in_use.lock) || gp_lock_wait(&in_use.lock, PATIENCE_NS);
}

void *gp_exec_map(size_t size) {
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED)
        return room;
    return size <= SPARE && gp_lock_try(&in_use.spare) ? spare : NULL;
}

void gp_exec_unmap(void *room, size_t size) {
    if (room == spare)
        gp_lock_leave(&in_use.spare);
    else
        munmap(room, size);
}

static gp_exec_plan plan_in_room(const char *name, bool searches, bool by_exec, bool follows) {
    if (!gp_program_find(name, searches, room.path, sizeof room.path))
        return GP_SUCCESSOR_MISSING;
    const char *refusal = follows ? gp_program_refusal(room.path, &room) : NULL;
    // The program itself asks for its limits when it starts, so that no filter forbids it.
    if (follows && !refusal && gp_memory_limit() < GP_LEAST_MEMORY)
        refusal = GP_SHORT_OF_MEMORY;
    if (follows && !refusal)
        return GP_SUCCESSOR_RECORDED;
    gp_exec_environment_note(by_exec, room.path, refusal, &room);
    return GP_SUCCESSOR_STRANGER;
}

static gp_exec_plan plan(const char *name, bool searches, bool by_exec, bool follows) {
    if (!take_room())
        return GP_SUCCESSOR_MISSING;
    gp_exec_plan kind = plan_in_room(name, searches, by_exec, follows);
    gp_lock_leave(&in_use.lock);
    return kind;
}

gp_exec_plan gp_exec_by_exec(const char *name, bool searches) {
    return plan(name, searches, true, gp_exec_environment_by_exec());
}

gp_exec_plan gp_exec_by_spawn(const char *name, bool searches) {
    return plan(name, searches, false, gp_exec_environment_by_children());
}

void gp_exec_refused(const char *program, const char *reason) {
    if (!take_room())
        return;
    gp_exec_environment_note(false, program, reason, &room);
    gp_lock_leave(&in_use.lock);
}
