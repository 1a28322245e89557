// A program that is about to filter its system calls, whose filter may end it at a call of the recorder's. What the recorder
// would do unasked in the middle of the program's work ends before: guarded pages, and the handlers of signals that end it.
// A program without privileges sets no_new_privs first, however it sets the filter then.
#include <stdarg.h>
#include <sys/prctl.h>

#include "alternate_stack.h"
#include "exec_environment.h"
#include "files.h"
#include "guarded_samples.h"
#include "system.h"
#include "termination.h"
#include "next.h"

static int (*next)(int option, ...);

static void __attribute__((constructor(102))) look_up(void) {
    next = GP_NEXT(prctl);
}

GP_EXPORT int prctl(int option, ...) {
    unsigned long more[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        more[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_SECCOMP || option == PR_SET_NO_NEW_PRIVS) {
        gp_guarded_samples_end();
        gp_termination_let_crash();
        gp_alternate_stack_end();
        gp_files_ask_no_more();
        gp_exec_environment_note_no_ends();
    }
    if (next)
        return next(option, more[0], more[1], more[2], more[3]);
    return (int)gp_result_of(gp_system(prctl, option, more[0], more[1], more[2], more[3]));
}
