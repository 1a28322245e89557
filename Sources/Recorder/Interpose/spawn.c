// posix_spawn: the program that is started is recorded as well when children are followed.
#ifdef GP_PRELOADED
#include <spawn.h>

#include "exec_environment.h"
#include "next.h"
#include "stop_mask.h"
#include "exec_propagation.h"

static __typeof__(&posix_spawn) next_spawn, next_spawnp;

static void __attribute__((constructor(102))) look_up(void) {
    next_spawn = GP_NEXT(posix_spawn);
    next_spawnp = GP_NEXT(posix_spawnp);
}

// A program that is not found from here may be found where the file actions lead, so it is given the variables too.
static int spawn(__typeof__(&posix_spawn) next, gp_exec_plan kind, pid_t *child, const char *file,
                 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const argv[],
                 char *const envp[]) {
    if (kind == GP_SUCCESSOR_STRANGER || !gp_exec_environment_by_children())
        return next(child, file, actions, attributes, argv, envp);
    const gp_exec_environment_need need = gp_exec_environment_measure(envp);
    void *room = GP_ROOM(need.bytes);
    if (!room)
        return next(child, file, actions, attributes, argv, envp);
    int error = next(child, file, actions, attributes, argv, gp_exec_environment_fill(envp, need, room));
    GP_LEAVE_ROOM(room, need.bytes);
    return error;
}

static int spawn_with_mask(__typeof__(&posix_spawn) next, gp_exec_plan kind, pid_t *child, const char *file,
                           const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                           char *const argv[], char *const envp[]) {
    if (!gp_virtual_mask)
        return spawn(next, kind, child, file, actions, attributes, argv, envp);
    uint64_t real = gp_show_mask(gp_virtual_mask);
    int error = spawn(next, kind, child, file, actions, attributes, argv, envp);
    gp_hide_mask(real);
    return error;
}

GP_EXPORT int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
    if (!next_spawn)
        look_up();
    return spawn_with_mask(next_spawn, gp_exec_by_spawn(path, false), child, path, actions, attributes, argv, envp);
}

GP_EXPORT int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
    if (!next_spawnp)
        look_up();
    return spawn_with_mask(next_spawnp, gp_exec_by_spawn(file, true), child, file, actions, attributes, argv, envp);
}
#endif
