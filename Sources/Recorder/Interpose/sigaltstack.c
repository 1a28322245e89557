// The program does not see the alternate stack that it was lent.
#include <errno.h>
#include <signal.h>

#include "alternate_stack.h"

__attribute__((visibility("default"))) int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
    const long result = gp_alternate_stack_set(stack, old);
    if (result < 0)
        errno = (int)-result;
    return result < 0 ? -1 : 0;
}
