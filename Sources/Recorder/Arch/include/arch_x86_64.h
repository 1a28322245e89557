// arch.h for x86-64.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum {
    GP_USER_BITS = 47,  // with four levels of page tables; no program is given more unasked
    GP_PAGE = 4096,
    GP_PAGE_MOST = 4096,
    GP_REGISTER_COUNT = 16,  // general registers of a context, the stack pointer among them
    GP_PRESERVED_COUNT = 6,  // registers that a function keeps for its caller, the frame pointer last
    GP_CALL_ARGUMENTS = 6,  // of a system call
    GP_RETURN_AT_CFA = -8,  // where a frame has its return address: bytes from its CFA
    GP_ENTRY_CFA = 8,  // the CFA from the stack pointer at a function's first instruction
    GP_CALL_BYTES = 2,  // of the instruction that calls the system
    GP_ELF_MACHINE = 62,
    GP_SIGNS_RETURN_ADDRESSES = 0,
    GP_MAY_BE_EMULATED = 0,  // by qemu-user, where the port is tested
};

static inline uintptr_t gp_page_size(void) {
    return GP_PAGE;
}

// Numbers of registers in call frame information.
enum {
    GP_DWARF_FP = 6,
    GP_DWARF_SP = 7,
    GP_DWARF_RETURN_ADDRESS = 16,
    GP_SAVED_REGISTERS = 5,  // what a function preserves for its caller, besides the frame pointer
};
static inline int gp_dwarf_saved(uint64_t number) {  // rbx, r12 to r15; -1: another
    return number == 3 ? 0 : number >= 12 && number <= 15 ? (int)number - 11 : -1;
}

// Bytes that code.h reads around pc, and of an entry of the linkage table.
enum { GP_CODE_PLACE_BEFORE = 1, GP_CODE_PLACE_BEHIND = 8, GP_CODE_LINK_BYTES = 11 };

// Detours, as code.h has them: what is read may end with an instruction that begins within a near jump.
enum { GP_CODE_NEAR_JUMP = 5, GP_CODE_REACH = 1 << 30, GP_CODE_FAR_JUMP = 14, GP_CODE_MOVED_MOST = 4 + 7 };

// Bits of a pointer to a Swift object that are zero.
#define GP_OBJECT_SPARE_BITS 0xff00000000000007ull

// Of glibc's thread control block: the word that holds the vector of thread-local blocks, and whether the block begins at the
// thread pointer, with the thread-local variables below it. Otherwise it ends there, and they lie above it.
enum { GP_TLS_VECTOR_WORD = 1, GP_CONTROL_BLOCK_IS_AT_POINTER = 1 };

#define GP_LOADER_NAME "ld-linux-x86-64"

#define GP_CALLER_SP() ((uintptr_t)__builtin_frame_address(0) + 16)
#define GP_CALLER_FP() (*(uintptr_t *)__builtin_frame_address(0))

static inline long gp_system_call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

// Inside a loop that waits for another thread.
static inline void gp_pause(void) {
    __builtin_ia32_pause();
}

// A word that another thread stores, before all that is loaded behind it. Loads are in order here, and compilers load each of these
// once, which was looked at: an atomic load would only keep them from comparing with memory.
#define GP_LOAD_IN_ORDER(word) (word)

// A counter that runs at one speed and never stops, where gp_ticks_are_steady().
static inline uint64_t gp_ticks(void) {
    return __builtin_ia32_rdtsc();
}
bool gp_ticks_are_steady(void);

#define GP_ARCHITECTURE_NAME "x86-64"

// The processor's name as its maker writes it, with a NUL; empty where it has none.
enum { GP_PROCESSOR_NAME_BYTES = 49 };
void gp_processor_name(char name[GP_PROCESSOR_NAME_BYTES]);

// What a return address on the stack means.
static inline uintptr_t gp_code_address(uintptr_t word) {
    return word;
}

// Fields of an interrupted thread's context: program counter, stack and frame pointer; of a system call what it returns, and the
// number of the one that the thread, whose pc is its instruction, is about to make again.
#define GP_CONTEXT_PC uc_mcontext.gregs[REG_RIP]
#define GP_CONTEXT_SP uc_mcontext.gregs[REG_RSP]
#define GP_CONTEXT_FP uc_mcontext.gregs[REG_RBP]
#define GP_CONTEXT_RESULT uc_mcontext.gregs[REG_RAX]
#define GP_CONTEXT_CALL_NUMBER uc_mcontext.gregs[REG_RAX]

// Where the context lies in a signal's frame; its link register from its frame pointer, 0: there is none.
enum { GP_CONTEXT_AT = 0, GP_CONTEXT_LINK_BEHIND_FP = 0 };

// The return address of a function that has not stored it; 0: the processor keeps none in a register.
static inline uintptr_t gp_context_link(const ucontext_t *context) {
    (void)context;
    return 0;
}

// General registers by number: the stack pointer is GP_REGISTER_SP.
enum {
    GP_REGISTER_SP = 7,
    GP_REGISTER_ARGUMENT_2 = 4,  // rsi, of a system call
    GP_SCRATCH_REGISTERS = 1 << 2 | 0xf << 8,  // rcx, r8 to r11: not preserved, nor among the first three arguments
};
static inline greg_t *gp_context_place(const ucontext_t *context, int number) {
    static const uint8_t order[GP_REGISTER_COUNT] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                                     REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                     REG_R12, REG_R13, REG_R14, REG_R15};
    return (greg_t *)&context->uc_mcontext.gregs[order[number]];
}

// What the thread gave to the system call in which it stands.
static inline greg_t *gp_context_argument_place(const ucontext_t *context, int number) {
    static const uint8_t order[GP_CALL_ARGUMENTS] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    return (greg_t *)&context->uc_mcontext.gregs[order[number]];
}

// Has the thread make the system call `number` (again) whose instruction ends at its pc.
static inline void gp_context_call_again(ucontext_t *context, long number) {
    context->uc_mcontext.gregs[REG_RAX] = number;
    context->uc_mcontext.gregs[REG_RIP] -= GP_CALL_BYTES;
}

// Whether a fault was caused by a write.
static inline bool gp_context_faulted_on_write(const ucontext_t *context) {
    enum { PAGE_FAULT_WRITE = 2 };
    return context->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE;
}

// The saved vector registers, NULL: none. `size`: their bytes. The kernel notes the size of the extended state behind
// FP_XSTATE_MAGIC1 in the legacy area's last bytes.
static inline const void *gp_context_vectors(const ucontext_t *context, size_t *size) {
    enum { LEGACY = 512, SOFTWARE_AT = 464 };
    const void *vectors = context->uc_mcontext.fpregs;
    const uint32_t *software = (const uint32_t *)((const uint8_t *)vectors + SOFTWARE_AT);
    *size = !vectors ? 0 : software[0] == 0x46505853u ? software[1] : LEGACY;
    return vectors;
}

// Registers that belong to callers and that no function on the way here has saved on its stack.
static inline __attribute__((always_inline)) void gp_read_preserved(uintptr_t registers[GP_PRESERVED_COUNT]) {
    __asm__ volatile("movq %%rbx, 0(%0)\n\tmovq %%r12, 8(%0)\n\tmovq %%r13, 16(%0)\n\t"
                     "movq %%r14, 24(%0)\n\tmovq %%r15, 32(%0)\n\tmovq %%rbp, 40(%0)"
                     :
                     : "r"(registers)
                     : "memory");
}

// Whether these bytes are the instruction that calls the system.
static inline bool gp_code_calls_system(const uint8_t code[GP_CALL_BYTES]) {
    return code[0] == 0x0f && code[1] == 0x05;
}

// Whether a handler returns to code without call frame information: here it has some.
enum { GP_CODE_SIGNAL_RETURN_BYTES = 0 };
static inline bool gp_code_is_signal_return(const uint8_t *code) {
    (void)code;
    return false;
}
