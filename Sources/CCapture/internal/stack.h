// Stacks: unwinding by call frame information, a verified memo of the thread's last stack, and the tree in which every
// stack is stored once. Safe inside malloc and in signal handlers: no allocation, no lock, no call into the loader but
// _dl_find_object.
#ifndef GP_STACK_H
#define GP_STACK_H

#include <stddef.h>
#include <stdint.h>

struct gp_thread;

#define GP_STACK_DEPTH 128

// Where an unwinding starts: the state just after the return from the hooked function into its caller.
typedef struct {
    uintptr_t pc;  // return address
    uintptr_t sp;  // value of rsp in the caller
    uintptr_t fp;  // value of rbp in the caller
} gp_registers;

// The registers of the caller of the function in which this stands.
#define GP_CALLER_REGISTERS()                                                                                          \
    ((gp_registers){(uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16,                \
                    *(uintptr_t *)__builtin_frame_address(0)})

// One frame of the last stack: where it goes on when its callee returns, and the words of the stack that say so. fp and
// pc lie side by side as they do on the stack of code that has frame pointers.
typedef struct {
    uintptr_t cfa;  // the CFA of its callee: rsp in this frame
    uintptr_t fp;  // rbp in this frame; not kept up to date unless the way outwards depends on it
    uintptr_t pc;  // at cfa - 8
    uintptr_t fp_slot;  // where fp was read, 0: nowhere
    uint32_t node;  // id in the stack tree
    uint16_t traits;  // of memo.c
    uint16_t check;  // of memo.c: which words must be as they were
} gp_stack_frame;

typedef struct {
    uint32_t count;
    uint32_t generation;  // of the image list; a dlclose makes every memo stale
    uint32_t base;  // how many frames lie outwards of frames[0], because the stack is deeper than is kept
    uint32_t reserved;
    gp_stack_frame frames[GP_STACK_DEPTH];  // outermost first
    gp_stack_frame fresh[GP_STACK_DEPTH];  // room to work in: frames found anew, innermost first
} gp_stack_memo;

// The id of the stack that starts at `start` (GP_FRAME id of its innermost frame), 0 when nothing could be read.
// Writes GP_FRAME records for new nodes, and GP_IMAGE for images not seen before. ~5 ns for an unchanged stack.
uint32_t gp_stack_id(struct gp_thread *thread, gp_registers start);

// The same with the registers in registers: a struct of three words is passed in memory, copied by a vector load that
// the store buffer cannot forward (7 ns).
uint32_t gp_stack_id_at(struct gp_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// The same with a memo of the caller's choice: whoever takes stacks at several places by turns keeps one for each.
uint32_t gp_stack_id_in(struct gp_thread *thread, gp_stack_memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// The id of the stack of code that was interrupted by a signal: `at` are its registers, and its innermost frame becomes
// GP_FRAME_EXACT. With a memo that no other function is given.
uint32_t gp_stack_id_interrupted(struct gp_thread *thread, gp_stack_memo *memo, gp_registers at);

// Unwinds without memo and tree: stores up to `capacity` return addresses (the first is start.pc) and, if cfas is not
// NULL, the CFA of each. Returns how many.
size_t gp_stack_unwind(gp_registers start, uintptr_t *pcs, uintptr_t *cfas, size_t capacity);

// Finds the images that are gone and forgets what was learnt of them: call after dlclose. Takes no lock.
void gp_stack_images_changed(void);

// How many stacks were lost because there was no memory for their frames.
uint64_t gp_stack_failures(void);

#endif
