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
#define GP_CALLER_REGISTERS()                                                              \
    ((gp_registers){(uintptr_t)__builtin_return_address(0),                                \
                    (uintptr_t)__builtin_frame_address(0) + 16, *(uintptr_t *)__builtin_frame_address(0)})

// One frame of the last stack: the words of the stack that decided how the unwinding went on from here.
typedef struct {
    uintptr_t cfa;
    uintptr_t pc;        // return address, at cfa - 8
    uintptr_t fp_slot;   // address at which the caller's rbp was saved, 0: not saved by this frame
    uintptr_t fp;        // rbp after this frame
    uint32_t node;       // id in the stack tree
} gp_stack_frame;

typedef struct {
    uint32_t count;
    uint32_t generation;  // of the image list; a dlclose makes every memo stale
    gp_stack_frame frames[GP_STACK_DEPTH];  // outermost first
} gp_stack_memo;

// The id of the stack that starts at `start` (GP_FRAME id of its innermost frame), 0 when nothing could be read.
// Writes GP_FRAME records for new nodes, and GP_IMAGE for images not seen before. ~5 ns for an unchanged stack.
uint32_t gp_stack_id(struct gp_thread *thread, gp_registers start);

// Unwinds without memo and tree: stores up to `capacity` return addresses (the first is start.pc) and, if cfas is not
// NULL, the CFA of each. Returns how many.
size_t gp_stack_unwind(gp_registers start, uintptr_t *pcs, uintptr_t *cfas, size_t capacity);

// Forgets all cached rules: call after dlclose.
void gp_stack_images_changed(void);

#endif
