// Calls that wait for a child. How it ended is noted for the tool, unless all was well: a child that a signal ends at once cannot
// record it.
#ifdef GP_PRELOADED
#include <sys/resource.h>
#include <sys/wait.h>

#include "exec_environment.h"
#include "next.h"

// Looked up when the library is loaded: a handler of SIGCHLD waits too.
static struct {
    __typeof__(&wait) wait;
    __typeof__(&waitpid) waitpid;
    __typeof__(&wait3) wait3;
    __typeof__(&wait4) wait4;
    __typeof__(&waitid) waitid;
} next;

#define NEXT(name) (next.name ? next.name : (next.name = GP_NEXT(name)))

static void __attribute__((constructor(101))) find_next(void) {
    NEXT(wait), NEXT(waitpid), NEXT(wait3), NEXT(wait4), NEXT(waitid);
}

static pid_t noted(pid_t child, const int *status) {
    if (child > 0 && (WIFSIGNALED(*status) || (WIFEXITED(*status) && WEXITSTATUS(*status) != 0)))
        gp_exec_environment_note_end(child, WIFSIGNALED(*status),
                                     WIFSIGNALED(*status) ? WTERMSIG(*status) : WEXITSTATUS(*status));
    return child;
}

GP_EXPORT pid_t wait(int *status) {
    int own;
    status = status ? status : &own;
    return noted(NEXT(wait)(status), status);
}

GP_EXPORT pid_t waitpid(pid_t child, int *status, int options) {
    int own;
    status = status ? status : &own;
    return noted(NEXT(waitpid)(child, status, options), status);
}

GP_EXPORT pid_t wait3(int *status, int options, struct rusage *used) {
    int own;
    status = status ? status : &own;
    return noted(NEXT(wait3)(status, options, used), status);
}

GP_EXPORT pid_t wait4(pid_t child, int *status, int options, struct rusage *used) {
    int own;
    status = status ? status : &own;
    return noted(NEXT(wait4)(child, status, options, used), status);
}

GP_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
    siginfo_t own = {0};
    info = info ? info : &own;
    const int result = NEXT(waitid)(type, id, info, options);
    const bool is_signal = result == 0 && (info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED);
    const bool has_failed = is_signal || (info->si_code == CLD_EXITED && info->si_status != 0);
    if (result == 0 && !(options & WNOWAIT) && info->si_pid > 0 && has_failed)
        gp_exec_environment_note_end(info->si_pid, is_signal, info->si_status);
    return result;
}
#endif
