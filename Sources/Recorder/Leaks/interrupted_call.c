#include "stop_threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <sys/syscall.h>

#include "code.h"
#include "kernel_entries.h"
#include "read_clock.h"
#include "heap.h"

// Where a handler waits on, NULL: nowhere.
static __thread sigjmp_buf *waiting_on __attribute__((tls_model("initial-exec")));

__thread uint64_t gp_waiting_until __attribute__((tls_model("initial-exec"), visibility("hidden")));
__thread bool gp_waiting_was_cut __attribute__((tls_model("initial-exec"), visibility("hidden")));

typedef enum { RETURNS, WAITS_ON, IS_REPEATED, IS_REPEATED_WITH_THE_REST } continuation;

// What becomes of a call that a handler cut short. Absolute times, no time at all, and times that the kernel itself
// shortens stay right when the call is made again.
static continuation continuation_of(long number, const ucontext_t *context) {
    switch (number) {
    case SYS_nanosleep:
#ifdef SYS_poll
    case SYS_poll:
#endif
    case SYS_futex:
        return WAITS_ON;
    case SYS_clock_nanosleep:
        return gp_context_argument(context, 1) & TIMER_ABSTIME ? IS_REPEATED : WAITS_ON;
    case SYS_ppoll:
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
    case SYS_rt_sigsuspend:
#ifdef SYS_pause
    case SYS_pause:
#endif
    case SYS_semop:
    case SYS_msgrcv:
    case SYS_msgsnd:
        return IS_REPEATED;
    case SYS_rt_sigtimedwait:
        return gp_context_argument(context, 2) == 0 ? IS_REPEATED : RETURNS;
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
        return (int)gp_context_argument(context, 3) < 0 ? IS_REPEATED : IS_REPEATED_WITH_THE_REST;
    default:
        return RETURNS;
    }
}

// Whether the thread stands in it now. Where a call leaves its first argument, or what it returned there, is the processor's.
static bool stands_in(const gp_task_call *call, const ucontext_t *context) {
    if (call->number < 0 || call->pc == 0 || call->pc != gp_context_pc(context) || call->sp != gp_context_sp(context))
        return false;
    for (int i = 1; i < GP_CALL_ARGUMENTS; i++)
        if (call->arguments[i] != gp_context_argument(context, i))
            return false;
    return true;
}

long gp_call_interrupted(const ucontext_t *context, const gp_task_call *waited) {
    const uintptr_t pc = gp_context_pc(context);
    if (gp_context_result(context) != -EINTR)
        return -1;
    if (gp_code_is_given_call_number(pc)) {
        uintptr_t pcs[2], cfas[2];
        return gp_stack_unwind(gp_context_start(context), pcs, cfas, 2) == 2 ? *(const int *)cfas[1] : -1;
    }
    uintptr_t registers[GP_REGISTER_COUNT];
    for (int number = 0; number < GP_REGISTER_COUNT; number++)
        registers[number] = gp_context_register(context, number);
    const long number = gp_code_system_call_number(pc, registers);
    return number < 0 && stands_in(waited, context) ? waited->number : number;
}

bool gp_call_waits(long number, uintptr_t operation, uintptr_t value) {
    enum { AWAITED = 2 };  // a lock of glibc's
    switch (number) {
    case SYS_futex:
        return (operation & FUTEX_CMD_MASK) != FUTEX_WAIT || value != AWAITED;
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_pause:
#endif
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait:
    case SYS_read:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_wait4:
    case SYS_waitid:
        return true;
    default:
        return false;
    }
}

bool gp_call_is_wait(const ucontext_t *context) {
    static const gp_task_call none;
    const bool is_at = gp_code_is_at_system_call(gp_context_pc(context));
    const long number = is_at ? gp_context_call_number(context) : gp_call_interrupted(context, &none);
    return gp_call_waits(number, gp_context_argument(context, 1), gp_context_argument(context, 2));
}

static long wait_on(ucontext_t *context) {
    sigjmp_buf again, *outer = waiting_on;
    sigsetjmp(again, 0);
    waiting_on = &again;
    long result = gp_wait_on((const uint64_t *)&context->uc_sigmask);
    waiting_on = outer;
    // Neither qemu-user nor every filter of system calls has restart_syscall.
    return result == -ENOSYS || result == -EPERM ? -EINTR : result;
}

static int milliseconds_left(void) {
    const uint64_t present = gp_monotonic_of_kernel();
    return gp_waiting_until > present ? (int)((gp_waiting_until - present + 999999) / 1000000) : 0;
}

void gp_call_take_up(ucontext_t *context, long number) {
    uintptr_t pc = gp_context_pc(context), end = (uintptr_t)gp_wait_on_end;
    bool was_interrupted = gp_context_result(context) == -EINTR;
    if (waiting_on && pc >= (uintptr_t)gp_wait_on && pc <= end && (pc < end || was_interrupted))
        siglongjmp(*waiting_on, 1);
    continuation next = continuation_of(number, context);
    if (next == IS_REPEATED_WITH_THE_REST && !gp_waiting_until)
        next = RETURNS;
    gp_waiting_was_cut |= number == SYS_rt_sigtimedwait;
    if (next == WAITS_ON)
        context->GP_CONTEXT_RESULT = wait_on(context);
    if (next != IS_REPEATED && next != IS_REPEATED_WITH_THE_REST)
        return;
    if (next == IS_REPEATED_WITH_THE_REST)
        *gp_context_argument_place(context, 3) = milliseconds_left();
    gp_context_call_again(context, number);
}
