// arch.h for aarch64: what a port has to define. Nothing here is.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum {
    GP_USER_BITS = 48,
    GP_PAGE = 4096,  // of kernels with this size alone
    GP_REGISTER_COUNT = 32,  // x0 to x30, sp
    GP_PRESERVED_COUNT = 12,  // x19 to x30
    GP_CALL_ARGUMENTS = 6,
    GP_RETURN_AT_CFA = -8,  // of a frame that begins with its frame record; others need a place in their rule
    GP_CALL_BYTES = 4,
    GP_REGISTER_SP = 31,
    GP_CONTEXT_PC_AT = offsetof(ucontext_t, uc_mcontext.pc),
    GP_CONTEXT_SP_AT = offsetof(ucontext_t, uc_mcontext.sp),
    GP_CONTEXT_FP_AT = offsetof(ucontext_t, uc_mcontext.regs[29]),
};

#define GP_LOADER_NAME "ld-linux-aarch64"

// The frame record may lie anywhere in a frame: the caller's stack pointer follows from call frame information alone.
#define GP_CALLER_SP() gp_caller_sp((uintptr_t)__builtin_frame_address(0))
#define GP_CALLER_FP() (*(uintptr_t *)__builtin_frame_address(0))
uintptr_t gp_caller_sp(uintptr_t frame_record);

long gp_system_call(long number, long a, long b, long c, long d, long e, long f);
void gp_pause(void);
uint64_t gp_ticks(void);
bool gp_ticks_are_steady(void);

#define GP_ARCHITECTURE_NAME "aarch64"

enum { GP_PROCESSOR_NAME_BYTES = 49 };
void gp_processor_name(char name[GP_PROCESSOR_NAME_BYTES]);

uintptr_t gp_context_pc(const ucontext_t *context);
uintptr_t gp_context_sp(const ucontext_t *context);
uintptr_t gp_context_fp(const ucontext_t *context);
void gp_context_set_pc(ucontext_t *context, uintptr_t pc);
uintptr_t gp_context_register(const ucontext_t *context, int number);
void gp_context_set_register(ucontext_t *context, int number, uintptr_t value);
uintptr_t gp_context_argument(const ucontext_t *context, int number);
void gp_context_set_argument(ucontext_t *context, int number, uintptr_t value);
long gp_context_result(const ucontext_t *context);
void gp_context_set_result(ucontext_t *context, long result);
void gp_context_call_again(ucontext_t *context, long number);
long gp_context_call_number(const ucontext_t *context);
bool gp_context_faulted_on_write(const ucontext_t *context);
const void *gp_context_vectors(const ucontext_t *context, size_t *size);
void gp_read_preserved(uintptr_t registers[GP_PRESERVED_COUNT]);
bool gp_code_calls_system(const uint8_t code[GP_CALL_BYTES]);
