// Steps through functions that have no call frame information, instruction by instruction, and takes the stack at each,
// as a sample would: the caller must always be there.
#include "Recorder.h"
#include "stack.h"
#include "thread.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

enum { TRAP_FLAG = 0x100 };

// Each of these is called by `bare`; with a frame pointer, a saved register more, and a jump to another at the end.
void bare(void);
void bare_end(void);
void outer(void);
void outer_end(void);

__asm__(".text\n"
        "bare_leaf: push %rbp\n mov %rsp,%rbp\n push %rbx\n push %rax\n xor %eax,%eax\n add $8,%rsp\n pop %rbx\n"
        " pop %rbp\n ret\n"
        "bare_jump: endbr64\n push %rbp\n mov %rsp,%rbp\n nop\n pop %rbp\n jmp bare_leaf\n"
        "bare_indirect: push %rbp\n mov %rsp,%rbp\n lea bare_leaf(%rip),%r11\n pop %rbp\n jmp *%r11\n"
        "bare_nothing: ret\n"
        ".globl bare, bare_end, outer, outer_end\n"
        "bare: push %rbp\n mov %rsp,%rbp\n call bare_leaf\n call bare_jump\n call bare_indirect\n call bare_nothing\n"
        " pop %rbp\n ret\n"
        "bare_end: nop\n"
        "outer: push %rbp\n mov %rsp,%rbp\n call bare\n pop %rbp\n ret\n"
        "outer_end: nop\n");

static gp_stacks stacks;
static unsigned steps, wrong;

static bool lies_in(uintptr_t pc, void (*start)(void), void (*end)(void)) {
    return pc >= (uintptr_t)start && pc < (uintptr_t)end;
}

static uintptr_t pc_of(uint32_t id) {
    return (uintptr_t)recorded_frames[id].pc_high << 32 | recorded_frames[id].pc_low;
}

static void on_step(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    gp_registers at = {(uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP], (uintptr_t)registers[REG_RBP], 0};
    extern void bare_leaf_start(void) __asm__("bare_leaf");
    if (!lies_in(at.pc, bare_leaf_start, outer_end))
        return;
    uint32_t id = gp_stack_id_interrupted(gp_thread_current(), &stacks, at);
    bool is_callee = lies_in(at.pc, bare_leaf_start, bare);
    uint32_t next = recorded_frames[id].parent;
    if (is_callee && !lies_in(pc_of(next), bare, bare_end))
        next = 0;
    else if (is_callee)
        next = recorded_frames[next].parent;
    if (!lies_in(at.pc, outer, outer_end) && !(next && lies_in(pc_of(next), outer, outer_end))) {
        fprintf(stderr, "wrong at %+ld\n", (long)(at.pc - (uintptr_t)bare_leaf_start));
        wrong++;
    }
    steps++;
}

int main(void) {
    gp_stacks_begin(&stacks);
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    __asm__ volatile("pushfq\n orl %0, (%%rsp)\n popfq\n call outer\n pushfq\n andl %1, (%%rsp)\n popfq\n"
                     :
                     : "i"(TRAP_FLAG), "i"(~TRAP_FLAG)
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
    fprintf(stderr, "compared %u different %u\n", steps, wrong);
}
