#include "sampled_stack.h"

#include <string.h>

#include "arch.h"
#include "safe_read.h"
#include "rule_cache.h"
#include "stack_tree.h"
#include "TraceFormat.h"
#include "call_site.h"

enum { FIRST_COPY = 4096, SEARCHED_WORDS = 2048 };

typedef struct {
    uintptr_t pc, sp, fp;
    bool exact;  // pc was interrupted, it is not a return address
    bool knows_fp;
} frame;

static bool copy_more(gp_stack_copy *copy, size_t wanted) {
    if (wanted > GP_REMOTE_COPY)
        wanted = GP_REMOTE_COPY;
    if (wanted <= copy->size)
        return false;
    struct iovec local = {(uint8_t *)copy->words + copy->size, wanted - copy->size};
    // Page by page: what lies behind the last page of the stack ends the copy, it does not undo it.
    struct iovec remote[GP_REMOTE_COPY / GP_PAGE + 1];
    unsigned count = 0;
    for (uintptr_t at = copy->start + copy->size, end = copy->start + wanted; at < end;) {
        const uintptr_t page_end = gp_page_start(at) + gp_page_size(), next = page_end < end ? page_end : end;
        remote[count++] = (struct iovec){(void *)at, next - at};
        at = next;
    }
    long copied = gp_safe_copy(&local, 1, remote, count);
    if (copied <= 0)
        return false;
    copy->size += (size_t)copied & ~(size_t)7;
    return true;
}

static bool read_word(gp_stack_copy *copy, uintptr_t address, uintptr_t *word) {
    uintptr_t offset = address - copy->start;
    if (offset % 8 != 0 || offset >= GP_REMOTE_COPY)
        return false;
    if (offset + 8 > copy->size && (!copy_more(copy, (offset + FIRST_COPY) & ~(size_t)7) || offset + 8 > copy->size))
        return false;
    *word = copy->words[offset / 8];
    return true;
}

// ----------------------------------------------------------------------------------------- a frame pointer unknown

// A function that keeps its frame pointer saved its caller's right below the return address. What it called meanwhile
// left the register alone, so that the pair is found by looking for a return address that belongs to it.
static bool find_frame_pointer(gp_stack_copy *copy, frame *frame) {
    uintptr_t function = gp_function_start(frame->exact ? frame->pc : frame->pc - 1), likely = 0, saved, back, beyond;
    for (unsigned i = 0; i < SEARCHED_WORDS; i++) {
        uintptr_t place = frame->sp + i * 8;
        if (!read_word(copy, place, &saved) || !read_word(copy, place + 8, &back))
            break;
        gp_call_kind kind = gp_call_before(back, function);
        if (kind == GP_CALL_OF_FUNCTION) {
            frame->fp = place;
            return frame->knows_fp = true;
        }
        if (kind == GP_SOME_CALL && !likely && saved > place && read_word(copy, saved + 8, &beyond) &&
            gp_call_before(beyond, 0) != GP_NO_CALL)
            likely = place;
    }
    frame->fp = likely;
    return frame->knows_fp = likely != 0;
}

// ------------------------------------------------------------------------------------------------------------- steps

// The caller of `frame`; false when it has none or cannot be read.
static bool step_out(gp_stack_copy *copy, frame *frame, gp_rule rule) {
    gp_cfa_kind kind = gp_rule_cfa(rule);
    if (kind == GP_CFA_END || kind == GP_CFA_SIGNAL)
        return false;
    bool needs_fp = kind == GP_CFA_FP || kind == GP_CFA_AT_FP || kind == GP_CFA_UNKNOWN;
    if (needs_fp && !frame->knows_fp && !find_frame_pointer(copy, frame))
        return false;
    uintptr_t cfa = (kind == GP_CFA_SP || kind == GP_CFA_AT_SP ? frame->sp : frame->fp) +
                    (uintptr_t)(kind == GP_CFA_UNKNOWN ? 16 : gp_rule_offset(rule));
    if (kind == GP_CFA_AT_SP || kind == GP_CFA_AT_FP) {
        if (!read_word(copy, cfa, &cfa))
            return false;
        cfa += (uintptr_t)gp_rule_addend(rule);
    }
    uintptr_t pc;
    const uintptr_t pc_slot = kind == GP_CFA_UNKNOWN ? frame->fp + 8 : cfa + (uintptr_t)gp_rule_return_offset(rule);
    if (gp_rule_return_in_link(rule) || cfa <= frame->sp || !read_word(copy, pc_slot, &pc))
        return false;
    uintptr_t slot = kind == GP_CFA_UNKNOWN             ? frame->fp
                     : gp_rule_fp(rule) == GP_FP_AT_CFA ? cfa + (uintptr_t)gp_rule_fp_offset(rule)
                     : gp_rule_fp(rule) == GP_FP_AT_FP && frame->knows_fp
                         ? frame->fp + (uintptr_t)gp_rule_fp_offset(rule)
                         : 0;
    if (slot)
        frame->knows_fp = read_word(copy, slot, &frame->fp);
    frame->pc = gp_code_address(pc);
    frame->sp = cfa;
    frame->exact = false;
    return true;
}

uint32_t gp_remote_stack_id(struct gp_thread *writer, gp_stack_copy *copy, uintptr_t pc, uintptr_t sp) {
    uintptr_t pcs[GP_REMOTE_DEPTH];
    unsigned count = 0;
    copy->start = sp & ~(uintptr_t)7;
    copy->size = 0;
    frame frame = {.pc = pc, .sp = sp, .exact = true};
    while (count < GP_REMOTE_DEPTH) {
        gp_rule rule = gp_rule_at(writer, frame.pc, frame.exact);
        if (!rule)
            break;
        pcs[count++] = frame.pc;
        if (!step_out(copy, &frame, rule))
            break;
    }
    uint32_t node = 0;
    for (unsigned i = count; i-- > 0;) {
        uint8_t flags = (uint8_t)((i == 0 ? GP_FRAME_EXACT : 0) |
                                  (i + 1 == count && count == GP_REMOTE_DEPTH ? GP_FRAME_TRUNCATED : 0));
        node = gp_stack_node(writer, node, pcs[i], flags);
        if (!node)
            return 0;
    }
    return node;
}
