#ifdef GP_PRELOADED
#include "successor.h"

#include <sys/mman.h>

#include "inheritance.h"
#include "program_file.h"

void *gp_successor_map(size_t size) {
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room == MAP_FAILED ? NULL : room;
}

void gp_successor_unmap(void *room, size_t size) {
    if (size > GP_STACK_ROOM)
        munmap(room, size);
}

static gp_successor judge(const char *name, bool searches, bool by_exec, bool follows) {
    char path[4096];
    if (!gp_program_find(name, searches, path, sizeof path))
        return GP_SUCCESSOR_MISSING;
    const char *refusal = follows ? gp_program_refusal(path) : NULL;
    if (follows && !refusal)
        return GP_SUCCESSOR_RECORDED;
    gp_inheritance_note(by_exec, path, refusal);
    return GP_SUCCESSOR_STRANGER;
}

gp_successor gp_successor_by_exec(const char *name, bool searches) {
    return judge(name, searches, true, gp_inheritance_by_exec());
}

gp_successor gp_successor_by_spawn(const char *name, bool searches) {
    return judge(name, searches, false, gp_inheritance_by_children());
}
#endif
