#include "successor.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "inheritance.h"
#include "program_file.h"

// What takes a program's place may be started on a stack of one page (Swift's crash reporter is), so that the room to
// judge it in lies here. It is free unless a child was made by fork at the moment when another thread used it.
enum { GP_TRIES = 1000 };

static atomic_flag in_use = ATOMIC_FLAG_INIT;
static gp_program_room room;

static bool take_room(void) {
    for (int i = 0; i < GP_TRIES; i++) {
        if (!atomic_flag_test_and_set_explicit(&in_use, memory_order_acquire))
            return true;
        sched_yield();
    }
    return false;
}

void *gp_successor_map(size_t size) {
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room == MAP_FAILED ? NULL : room;
}

void gp_successor_unmap(void *room, size_t size) {
    if (size > GP_STACK_ROOM)
        munmap(room, size);
}

static gp_successor judge_in_room(const char *name, bool searches, bool by_exec, bool follows) {
    if (!gp_program_find(name, searches, room.path, sizeof room.path))
        return GP_SUCCESSOR_MISSING;
    const char *refusal = follows ? gp_program_refusal(room.path, &room) : NULL;
    if (follows && !refusal)
        return GP_SUCCESSOR_RECORDED;
    gp_inheritance_note(by_exec, room.path, refusal, &room);
    return GP_SUCCESSOR_STRANGER;
}

static gp_successor judge(const char *name, bool searches, bool by_exec, bool follows) {
    if (!take_room())
        return GP_SUCCESSOR_MISSING;
    gp_successor kind = judge_in_room(name, searches, by_exec, follows);
    atomic_flag_clear_explicit(&in_use, memory_order_release);
    return kind;
}

gp_successor gp_successor_by_exec(const char *name, bool searches) {
    return judge(name, searches, true, gp_inheritance_by_exec());
}

gp_successor gp_successor_by_spawn(const char *name, bool searches) {
    return judge(name, searches, false, gp_inheritance_by_children());
}
