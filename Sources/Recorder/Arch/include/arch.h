// What differs between processors, and nothing else: registers, instructions, the way into the kernel. Above this floor
// no code knows which processor it runs on.
//
// x86-64 is complete; what aarch64 lacks stands in Documentation/Porting.md.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)
#include "arch_x86_64.h"
#elif defined(__aarch64__)
#include "arch_aarch64.h"
#else
#error "The recorder knows x86-64 and aarch64."
#endif

// Their places in a signal's frame.
enum {
    GP_CONTEXT_PC_AT = GP_CONTEXT_AT + offsetof(ucontext_t, GP_CONTEXT_PC),
    GP_CONTEXT_SP_AT = GP_CONTEXT_AT + offsetof(ucontext_t, GP_CONTEXT_SP),
    GP_CONTEXT_FP_AT = GP_CONTEXT_AT + offsetof(ucontext_t, GP_CONTEXT_FP),
};

static inline uintptr_t gp_context_pc(const ucontext_t *context) {
    return (uintptr_t)context->GP_CONTEXT_PC;
}
static inline uintptr_t gp_context_sp(const ucontext_t *context) {
    return (uintptr_t)context->GP_CONTEXT_SP;
}
static inline uintptr_t gp_context_fp(const ucontext_t *context) {
    return (uintptr_t)context->GP_CONTEXT_FP;
}
static inline long gp_context_result(const ucontext_t *context) {
    return (long)context->GP_CONTEXT_RESULT;
}
static inline long gp_context_call_number(const ucontext_t *context) {
    return (long)context->GP_CONTEXT_CALL_NUMBER;
}
static inline uintptr_t gp_context_register(const ucontext_t *context, int number) {
    return (uintptr_t)*gp_context_place(context, number);
}
static inline uintptr_t gp_context_argument(const ucontext_t *context, int number) {
    return (uintptr_t)*gp_context_argument_place(context, number);
}

// Where an unwinding starts: the state just after the return from the hooked function into its caller.
typedef struct {
    uintptr_t pc;  // return address
    uintptr_t sp;  // value of the stack pointer in the caller
    uintptr_t fp;  // value of the frame pointer in the caller
    uintptr_t link;  // of interrupted code: the link register
} gp_registers;

// The registers of the caller of the function in which this stands, as three values and as one.
#define GP_CALLER_VALUES() (uintptr_t) __builtin_return_address(0), GP_CALLER_SP(), GP_CALLER_FP()
#define GP_CALLER_REGISTERS() ((gp_registers){GP_CALLER_VALUES(), 0})

// The lowest address at which the function in which this stands has saved what its callers may need of their registers: right
// below its frame address.
#define GP_PRESERVED_SP() ((uintptr_t)__builtin_frame_address(0) - (GP_PRESERVED_COUNT - 1) * sizeof(uintptr_t))

// The thread pointer of the calling thread.
static inline uintptr_t gp_thread_pointer(void) {
    return (uintptr_t)__builtin_thread_pointer();
}

// Addresses of user space are below 1 << GP_USER_BITS.
static inline bool gp_is_user_address(uintptr_t address) {
    return address >> GP_USER_BITS == 0;
}

// The bounds of the page of an address; an address at a bound begins a page and ends none.
static inline uintptr_t gp_page_start(uintptr_t address) {
    return address & ~(gp_page_size() - 1);
}
static inline uintptr_t gp_page_end(uintptr_t address) {
    return gp_page_start(address + gp_page_size() - 1);
}

// The function that was interrupted in `context`, as an unwinding of it starts. A return address is looked up at its
// last byte before: here the instruction itself is meant.
static inline gp_registers gp_context_start(const ucontext_t *context) {
    return (gp_registers){gp_context_pc(context) + 1, gp_context_sp(context), gp_context_fp(context),
                          gp_context_link(context)};
}
