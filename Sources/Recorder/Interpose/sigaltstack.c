// The program does not see the alternate stack that it was lent.
#include <signal.h>

#include "alternate_stack.h"
#include "next.h"

GP_EXPORT int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
    return (int)gp_result_of(gp_alternate_stack_set(stack, old));
}
