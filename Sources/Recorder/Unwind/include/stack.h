// Stacks: unwinding by call frame information, a verified memo of the thread's last stack, and the tree in which every
// stack is stored once. Safe inside malloc and in signal handlers: no allocation, no lock, no call into the loader but
// that of gp_loaded_object_at.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "slow_path.h"
#include "thread.h"

enum {
    GP_STACK_DEPTH = 128,
    GP_STACK_SETS = 16,
    GP_STACK_WAYS = 2,
    GP_STACK_RULE_BITS = 7,
};

// fp and pc of a frame, as they lie side by side on the stack of code that has frame pointers.
typedef struct {
    __attribute__((aligned(16))) uintptr_t fp;
    uintptr_t pc;
} gp_stack_pair;

// One frame of the last stack: where it goes on when its callee returns, and the words of the stack that say so.
typedef struct {
    gp_stack_pair at;  // pc stands at gp_frame_pc_slot; fp is not kept up to date unless the way outwards depends on it
    gp_stack_pair checked;  // which bits of the pair at gp_pair_at must be as `at` has them
    uintptr_t cfa;  // the CFA of its callee: rsp in this frame
    uintptr_t fp_slot;  // where fp was read, 0: nowhere
    uint32_t node;  // id in the stack tree
    uint32_t traits;  // of memo_check.h
    uintptr_t pc_slot;  // where pc was read, of a processor that does not put it at GP_RETURN_AT_CFA
} gp_stack_frame;

static inline uintptr_t gp_frame_pc_slot(const gp_stack_frame *frame) {
    return GP_RETURN_AT_CFA != 0 ? frame->cfa + GP_RETURN_AT_CFA : frame->pc_slot;
}

typedef struct {
    uintptr_t pc, sp, fp;  // of the innermost frame; pc is 0 when the stack must be unwound again in any case
    uint32_t fp_matters;  // 1 when fp must be as it was too
    uint32_t node;  // of the innermost frame
    uint32_t count;
    uint32_t generation;  // of the image list; a dlclose makes every memo stale
    uint32_t base;  // how many frames lie outwards of frames[0], because the stack is deeper than is kept
    gp_stack_frame frames[GP_STACK_DEPTH];  // outermost first
    uint8_t apart[7 * 64];  // the same frames of two memos lie in different sets of the cache
} gp_stack_memo;

// The rule of a return address, if it is a plain one: CFA at sp or fp, fp left alone or saved at the CFA.
typedef struct {
    uintptr_t pc;
    int32_t cfa;  // from sp, or from fp if that is read
    int16_t saved_fp;  // from the CFA, 0: left alone
    uint8_t kind;  // of memo_plain.h
    int8_t back;  // the return address, in words from the CFA
} gp_stack_rule;

// The stacks that a thread takes by turns, each with a memo of its own so that they do not spoil each other's. What
// interrupts the recorder (a signal handler) needs another.
typedef struct {
    gp_stack_memo *last;  // the last stack's
    uint32_t begun;  // bit i: memos[i] was used since the thread began
    uint32_t second;  // bit i: of turn i's memos the second was used last
    uint32_t misses;  // how many stacks in a row no memo of their turn had
    uint32_t generation;  // of the image list, when these rules were found
    gp_stack_rule rules[1 << GP_STACK_RULE_BITS];  // each in its place by pc
    gp_stack_frame fresh[GP_STACK_DEPTH];  // room to work in: frames found anew, innermost first
    gp_stack_memo memos[GP_STACK_SETS * GP_STACK_WAYS];  // of turn i from GP_STACK_WAYS · i on
} gp_stacks;

// A thread begins (anew): nothing is known of its stacks.
static inline void gp_stacks_begin(gp_stacks *stacks) {
    stacks->last = &stacks->memos[0];
    stacks->last->count = 0;
    stacks->last->pc = 0;
    stacks->begun = 1;
    stacks->misses = 0;
}

_Static_assert(sizeof(gp_stacks) <= GP_THREAD_STACK_BYTES, "a thread's state has room for this");

// The stacks of a thread.
static inline gp_stacks *gp_thread_stacks(gp_thread *thread) {
    return (gp_stacks *)thread->stacks;
}

// The id of the stack that starts at `start` (GP_FRAME id of its innermost frame), 0 when nothing could be read.
// Writes GP_FRAME records for new nodes, and GP_IMAGE for images not seen before. ~5 ns for an unchanged stack.
uint32_t gp_stack_id(struct gp_thread *thread, gp_registers start);

// The same with other memos than the thread's.
uint32_t gp_stack_id_in(struct gp_thread *thread, gp_stacks *stacks, gp_registers start);

// The same for a caller that has just seen (gp_stack_id_unchanged) that the last stack no longer stands. An unchanged
// stack of another turn: ~15 ns.
GP_SLOW_PATH uint32_t gp_stack_id_anew(struct gp_thread *thread, gp_stacks *stacks, uintptr_t pc, uintptr_t sp,
                                       uintptr_t fp);

// The id of the stack of code that was interrupted by a signal: `at` are its registers, and its innermost frame becomes
// GP_FRAME_EXACT. With memos that no other function is given.
uint32_t gp_stack_id_interrupted(struct gp_thread *thread, gp_stacks *stacks, gp_registers at);

// Unwinds without memo and tree: stores up to `capacity` return addresses (the first is start.pc) if pcs is not NULL and, if
// cfas is not NULL, the CFA of each. Returns how many.
size_t gp_stack_unwind(gp_registers start, uintptr_t *pcs, uintptr_t *cfas, size_t capacity);

// Both ends of a deep stack. The innermost frame stands first; the outermost ones stand in a ring, frame i at i % GP_STACK_OUTER.
enum { GP_STACK_OUTER = 24, GP_STACK_INNER = GP_STACK_DEPTH - GP_STACK_OUTER };

typedef struct {
    uintptr_t inner[GP_STACK_INNER], outer[GP_STACK_OUTER];
} gp_stack_ends;

// As gp_stack_unwind, for up to `most` frames of which both ends are kept.
size_t gp_stack_unwind_ends(gp_registers start, gp_stack_ends *ends, size_t most);

// The id of a stack of `count` frames, more than GP_STACK_DEPTH, of which those in the middle are left out. 0: no memory.
uint32_t gp_stack_id_of_ends(struct gp_thread *thread, const gp_stack_ends *ends, size_t count);

// Forgets what was learnt of an image when it goes away. Call before the first stack.
void gp_stack_observe_images(void);

// How many stacks were lost because there was no memory for their frames.
uint64_t gp_stack_failures(void);
