// arch.h for aarch64.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

enum {
    GP_USER_BITS = 48,
    GP_PAGE = 4096,  // the least that a kernel has; others have 16 and 64 KiB
    GP_PAGE_MOST = 1 << 16,
    GP_REGISTER_COUNT = 32,  // x0 to x30, sp
    GP_PRESERVED_COUNT = 11,  // x19 to x29
    GP_CALL_ARGUMENTS = 6,
    GP_RETURN_AT_CFA = 0,  // not in one place: its rule says where
    GP_ENTRY_CFA = 0,  // the CFA from the stack pointer at a function's first instruction
    GP_CALL_BYTES = 4,
    GP_REGISTER_SP = 31,
    GP_REGISTER_ARGUMENT_2 = 1,  // of a system call
    GP_SCRATCH_REGISTERS = 0x7fff8,  // x3 to x18: not preserved, nor among the first three arguments
    GP_ELF_MACHINE = 183,
    GP_SIGNS_RETURN_ADDRESSES = 1,
    GP_MAY_BE_EMULATED = 1,
    GP_CODE_PLACE_BEFORE = 4,
    GP_CODE_PLACE_BEHIND = 8,
    GP_CODE_LINK_BYTES = 16,
    GP_CODE_NEAR_JUMP = 4,
    GP_CODE_REACH = 1 << 27,
    GP_CODE_FAR_JUMP = 16,
    GP_CODE_MOVED_MOST = 4,
};

static inline uintptr_t gp_page_size(void) {
    return getauxval(AT_PAGESZ);
}

// Numbers of registers in call frame information.
enum {
    GP_DWARF_FP = 29,
    GP_DWARF_SP = 31,
    GP_DWARF_RETURN_ADDRESS = 30,
    GP_SAVED_REGISTERS = 10,
};
static inline int gp_dwarf_saved(uint64_t number) {
    return number >= 19 && number <= 28 ? (int)number - 19 : -1;
}

#define GP_LOADER_NAME "ld-linux-aarch64"
#define GP_ARCHITECTURE_NAME "aarch64"

// Of a pointer to a Swift object.
#define GP_OBJECT_SPARE_BITS 0xf000000000000007ull

// Of glibc's tcbhead_t: the word that holds the vector of thread-local blocks. struct pthread lies in front.
enum { GP_TLS_VECTOR_WORD = 0, GP_CONTROL_BLOCK_IS_AT_POINTER = 0 };

#define GP_CALLER_SP() ((uintptr_t)__builtin_sponentry())
#define GP_CALLER_FP() (*(uintptr_t *)__builtin_frame_address(0))

static inline long gp_system_call(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
    return x0;
}

static inline void gp_pause(void) {
    __asm__ volatile("yield");
}

#define GP_LOAD_IN_ORDER(word) __atomic_load_n(&(word), __ATOMIC_ACQUIRE)

static inline uint64_t gp_ticks(void) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
static inline bool gp_ticks_are_steady(void) {
    return true;
}

// A processor has a number here, no name.
enum { GP_PROCESSOR_NAME_BYTES = 49 };
static inline void gp_processor_name(char name[GP_PROCESSOR_NAME_BYTES]) {
    name[0] = 0;
}

// A return address without its signature: XPACLRI, which older processors take for a nop.
static inline uintptr_t gp_code_address(uintptr_t word) {
    register uintptr_t link __asm__("x30") = word;
    __asm__("hint #7" : "+r"(link));
    return link;
}

#define GP_CONTEXT_PC uc_mcontext.pc
#define GP_CONTEXT_SP uc_mcontext.sp
#define GP_CONTEXT_FP uc_mcontext.regs[29]
#define GP_CONTEXT_RESULT uc_mcontext.regs[0]
#define GP_CONTEXT_CALL_NUMBER uc_mcontext.regs[8]

// Behind siginfo_t.
enum { GP_CONTEXT_AT = 128, GP_CONTEXT_LINK_BEHIND_FP = 8 };

static inline uintptr_t gp_context_link(const ucontext_t *context) {
    return context->uc_mcontext.regs[30];
}

static inline unsigned long long *gp_context_place(const ucontext_t *context, int number) {
    return (unsigned long long *)(number == GP_REGISTER_SP ? &context->uc_mcontext.sp
                                                           : &context->uc_mcontext.regs[number]);
}

// The first is lost once the call has returned.
static inline unsigned long long *gp_context_argument_place(const ucontext_t *context, int number) {
    return (unsigned long long *)&context->uc_mcontext.regs[number];
}

// The result stands where the first argument stood: the program sees the call interrupted, as the kernel left it.
static inline void gp_context_call_again(ucontext_t *context, long number) {
    (void)context, (void)number;
}

// The kernel's records behind the general registers, up to one without size.
static inline const uint8_t *gp_context_record(const ucontext_t *context, uint32_t magic, size_t *bytes_before) {
    const uint8_t *records = (const uint8_t *)context->uc_mcontext.__reserved;
    uint32_t head[2];
    for (size_t at = 0; at + sizeof head <= sizeof context->uc_mcontext.__reserved; at += head[1]) {
        memcpy(head, records + at, sizeof head);
        *bytes_before = at;
        if (head[0] == magic || head[1] < sizeof head)
            return head[0] == magic ? records + at : NULL;
    }
    return NULL;
}

static inline bool gp_context_faulted_on_write(const ucontext_t *context) {
    enum { ESR = 0x45535201, SYNDROME_AT = 8, IS_WRITE = 1 << 6, CLASS_SHIFT = 26, DATA_ABORT = 0x24 };
    size_t before;
    const uint8_t *record = gp_context_record(context, ESR, &before);
    uint64_t syndrome = 0;
    if (record)
        memcpy(&syndrome, record + SYNDROME_AT, sizeof syndrome);
    return syndrome >> CLASS_SHIFT == DATA_ABORT && syndrome & IS_WRITE;
}

// All records together.
static inline const void *gp_context_vectors(const ucontext_t *context, size_t *size) {
    gp_context_record(context, 0, size);
    return context->uc_mcontext.__reserved;
}

static inline __attribute__((always_inline)) void gp_read_preserved(uintptr_t registers[GP_PRESERVED_COUNT]) {
    __asm__ volatile("stp x19, x20, [%0]\n\tstp x21, x22, [%0, #16]\n\tstp x23, x24, [%0, #32]\n\t"
                     "stp x25, x26, [%0, #48]\n\tstp x27, x28, [%0, #64]\n\tstr x29, [%0, #80]"
                     :
                     : "r"(registers)
                     : "memory");
}

static inline bool gp_code_calls_system(const uint8_t code[GP_CALL_BYTES]) {
    return memcmp(code, "\x01\0\0\xd4", GP_CALL_BYTES) == 0;
}

// What the kernel has a handler return to is code without call frame information: mov x8, #139; svc #0.
enum { GP_CODE_SIGNAL_RETURN_BYTES = 8 };
static inline bool gp_code_is_signal_return(const uint8_t *code) {
    return memcmp(code, "\x68\x11\x80\xd2\x01\0\0\xd4", GP_CODE_SIGNAL_RETURN_BYTES) == 0;
}
