// Where the program's own code begins.
#include <stddef.h>

#include "failing.h"
#include "next.h"

#ifdef GP_PRELOADED

typedef int main_function(int count, char **words, char **variables);

static main_function *program_main;

static int begin(int count, char **words, char **variables) {
    gp_failing_main_begins();
    __attribute__((musttail)) return program_main(count, words, variables);
}

GP_EXPORT int __libc_start_main(main_function *main, int count, char **words, void (*initialize)(void),
                                void (*finish)(void), void (*finish_loader)(void), void *stack_end) {
    __typeof__(&__libc_start_main) next = GP_NEXT(__libc_start_main);
    program_main = main;
    __attribute__((musttail)) return next(begin, count, words, initialize, finish, finish_loader, stack_end);
}

#endif
