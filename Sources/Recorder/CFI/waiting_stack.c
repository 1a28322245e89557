#include "waiting_stack.h"

#include "arch.h"
#include "rule.h"

enum { SEARCHED_WORDS = 2048 };

typedef struct {
    uintptr_t pc, sp, fp;
    bool exact;  // pc was interrupted, it is not a return address
    bool knows_fp;
} frame;

// ----------------------------------------------------------------------------------------- a frame pointer unknown

// A function that keeps its frame pointer saved its caller's right below the return address. What it called meanwhile
// left the register alone, so that the pair is found by looking for a return address that belongs to it.
static bool find_frame_pointer(const gp_waiting_thread *thread, frame *frame) {
    uintptr_t function = thread->function_start(thread->context, frame->exact ? frame->pc : frame->pc - 1), likely = 0,
              saved, back, beyond;
    for (unsigned i = 0; i < SEARCHED_WORDS; i++) {
        uintptr_t place = frame->sp + i * 8;
        if (!thread->read_word(thread->context, place, &saved) || !thread->read_word(thread->context, place + 8, &back))
            break;
        gp_call_kind kind = thread->call_before(thread->context, back, function);
        if (kind == GP_CALL_OF_FUNCTION) {
            frame->fp = place;
            return frame->knows_fp = true;
        }
        if (kind == GP_SOME_CALL && !likely && saved > place &&
            thread->read_word(thread->context, saved + 8, &beyond) &&
            thread->call_before(thread->context, beyond, 0) != GP_NO_CALL)
            likely = place;
    }
    frame->fp = likely;
    return frame->knows_fp = likely != 0;
}

// ------------------------------------------------------------------------------------------------------------- steps

// The caller of `frame`; false when it has none or cannot be read.
static bool step_out(const gp_waiting_thread *thread, frame *frame, gp_rule rule) {
    gp_cfa_kind kind = gp_rule_cfa(rule);
    if (kind == GP_CFA_END || kind == GP_CFA_SIGNAL)
        return false;
    bool needs_fp = kind == GP_CFA_FP || kind == GP_CFA_AT_FP || kind == GP_CFA_UNKNOWN;
    if (needs_fp && !frame->knows_fp && !find_frame_pointer(thread, frame))
        return false;
    uintptr_t cfa = (kind == GP_CFA_SP || kind == GP_CFA_AT_SP ? frame->sp : frame->fp) +
                    (uintptr_t)(kind == GP_CFA_UNKNOWN ? 16 : gp_rule_offset(rule));
    if (kind == GP_CFA_AT_SP || kind == GP_CFA_AT_FP) {
        if (!thread->read_word(thread->context, cfa, &cfa))
            return false;
        cfa += (uintptr_t)gp_rule_addend(rule);
    }
    uintptr_t pc;
    const uintptr_t pc_slot = kind == GP_CFA_UNKNOWN ? frame->fp + 8 : cfa + (uintptr_t)gp_rule_return_offset(rule);
    if (gp_rule_return_in_link(rule) || cfa <= frame->sp || !thread->read_word(thread->context, pc_slot, &pc))
        return false;
    uintptr_t slot = kind == GP_CFA_UNKNOWN             ? frame->fp
                     : gp_rule_fp(rule) == GP_FP_AT_CFA ? cfa + (uintptr_t)gp_rule_fp_offset(rule)
                     : gp_rule_fp(rule) == GP_FP_AT_FP && frame->knows_fp
                         ? frame->fp + (uintptr_t)gp_rule_fp_offset(rule)
                         : 0;
    if (slot)
        frame->knows_fp = thread->read_word(thread->context, slot, &frame->fp);
    frame->pc = gp_code_address(pc);
    frame->sp = cfa;
    frame->exact = false;
    return true;
}

size_t gp_waiting_stack_walk(const gp_waiting_thread *thread, uintptr_t pc, uintptr_t sp, uintptr_t *pcs,
                             size_t capacity) {
    frame frame = {.pc = pc, .sp = sp, .exact = true};
    size_t count = 0;
    while (count < capacity) {
        const gp_rule rule = thread->rule_at(thread->context, frame.pc, frame.exact);
        if (!rule)
            break;
        pcs[count++] = frame.pc;
        if (!step_out(thread, &frame, rule))
            break;
    }
    return count;
}
