#include "interrupted_call.h"

#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#include "../recorder/system.h"
#include "waiting.h"

// Sets the signal mask and waits on: the kernel has kept what was being waited for, and until when, and forgets it when
// a handler returns in the usual way (rt_sigreturn).
long gp_wait_on(const uint64_t *mask);
extern const char gp_wait_on_end[];
__asm__(".text\n"
        ".local gp_wait_on_end\n"
        ".type gp_wait_on, @function\n"
        ".hidden gp_wait_on\n"
        ".globl gp_wait_on\n"
        "gp_wait_on:\n"
        ".cfi_startproc\n"
        "movq %rdi, %rsi\n"
        "movl $2, %edi\n"  // SIG_SETMASK
        "xorl %edx, %edx\n"
        "movl $8, %r10d\n"
        "movl $14, %eax\n"  // rt_sigprocmask
        "syscall\n"
        "movl $219, %eax\n"  // restart_syscall
        "syscall\n"
        "gp_wait_on_end:\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size gp_wait_on, . - gp_wait_on\n");

// Where a handler waits on, NULL: nowhere.
static __thread sigjmp_buf *waiting_on __attribute__((tls_model("initial-exec")));

__thread uint64_t gp_waiting_until __attribute__((tls_model("initial-exec"), visibility("hidden")));
__thread bool gp_waiting_was_cut __attribute__((tls_model("initial-exec"), visibility("hidden")));

typedef enum { RETURNS, WAITS_ON, IS_REPEATED, IS_REPEATED_WITH_THE_REST } continuation;

// What becomes of a call that a handler cut short. Absolute times, no time at all, and times that the kernel itself
// shortens stay right when the call is made again.
static continuation continuation_of(long number, const greg_t *registers) {
    switch (number) {
    case SYS_nanosleep:
    case SYS_poll:
    case SYS_futex:
        return WAITS_ON;
    case SYS_clock_nanosleep:
        return registers[REG_RSI] & TIMER_ABSTIME ? IS_REPEATED : WAITS_ON;
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_rt_sigsuspend:
    case SYS_pause:
    case SYS_semop:
    case SYS_msgrcv:
    case SYS_msgsnd:
        return IS_REPEATED;
    case SYS_rt_sigtimedwait:
        return registers[REG_RDX] == 0 ? IS_REPEATED : RETURNS;
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
        return (int)registers[REG_R10] < 0 ? IS_REPEATED : IS_REPEATED_WITH_THE_REST;
    default:
        return RETURNS;
    }
}

// The number of the call behind which the thread stands: the constant that was last moved to eax. −1: not known.
static long number_of_call(uintptr_t pc) {
    enum { MOVE_TO_EAX = 0xb8, CALL_BYTES = 2, MOVE_BYTES = 5, BETWEEN = 5, MOST = 512 };
    const uint8_t *call = (const uint8_t *)pc - CALL_BYTES;
    if ((pc & 4095) < CALL_BYTES + MOVE_BYTES + BETWEEN || call[0] != 0x0f || call[1] != 0x05)
        return -1;
    for (int between = 0; between <= BETWEEN; between++) {
        const uint8_t *move = call - between - MOVE_BYTES;
        uint32_t number =
            (uint32_t)move[1] | (uint32_t)move[2] << 8 | (uint32_t)move[3] << 16 | (uint32_t)move[4] << 24;
        if (move[0] == MOVE_TO_EAX && number < MOST)
            return number;
    }
    return -1;
}

long gp_call_interrupted(const ucontext_t *context) {
    const greg_t *registers = context->uc_mcontext.gregs;
    return registers[REG_RAX] == -EINTR ? number_of_call((uintptr_t)registers[REG_RIP]) : -1;
}

static long wait_on(ucontext_t *context) {
    sigjmp_buf again, *outer = waiting_on;
    sigsetjmp(again, 0);
    waiting_on = &again;
    long result = gp_wait_on((const uint64_t *)&context->uc_sigmask);
    waiting_on = outer;
    return result;
}

static int milliseconds_left(void) {
    struct timespec now;
    gp_system(clock_gettime, CLOCK_MONOTONIC, &now);
    uint64_t present = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return gp_waiting_until > present ? (int)((gp_waiting_until - present + 999999) / 1000000) : 0;
}

void gp_call_take_up(ucontext_t *context) {
    greg_t *registers = context->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)registers[REG_RIP], end = (uintptr_t)gp_wait_on_end;
    bool was_interrupted = registers[REG_RAX] == -EINTR;
    if (waiting_on && pc >= (uintptr_t)gp_wait_on && pc <= end && (pc < end || was_interrupted))
        siglongjmp(*waiting_on, 1);
    long number = gp_call_interrupted(context);
    continuation next = continuation_of(number, registers);
    if (next == IS_REPEATED_WITH_THE_REST && !gp_waiting_until)
        next = RETURNS;
    gp_waiting_was_cut |= number == SYS_rt_sigtimedwait;
    if (next == WAITS_ON)
        registers[REG_RAX] = wait_on(context);
    if (next != IS_REPEATED && next != IS_REPEATED_WITH_THE_REST)
        return;
    if (next == IS_REPEATED_WITH_THE_REST)
        registers[REG_R10] = milliseconds_left();
    registers[REG_RAX] = number;
    registers[REG_RIP] -= 2;
}
