// How one frame is unwound, packed into a word: where its CFA is, and where it saved its caller's frame pointer and return
// address.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

typedef enum {
    GP_CFA_UNKNOWN = 0,  // no call frame information: try the frame pointer
    GP_CFA_SP = 1,  // sp + offset
    GP_CFA_FP = 2,  // fp + offset
    GP_CFA_AT_SP = 3,  // word at sp + offset, + addend
    GP_CFA_AT_FP = 4,  // word at fp + offset, + addend
    GP_CFA_SIGNAL = 5,  // the kernel's signal frame: a ucontext_t at sp
    GP_CFA_END = 6,  // outermost frame
} gp_cfa_kind;

typedef enum {
    GP_FP_SAME = 0,  // the frame leaves fp alone
    GP_FP_AT_CFA = 1,  // saved at CFA + fp_offset
    GP_FP_AT_FP = 2,  // saved at fp + fp_offset
} gp_fp_kind;

// Bits 0–2 CFA kind, 3–4 fp kind, 5–7 GP_RULE_*, 8–31 offset, 32–39 addend, 40–63 fp offset (of a frame that leaves fp alone:
// the return address's, if it is not at GP_RETURN_AT_CFA), the three signed and in words of 8 bytes. A rule is not 0: one
// without CFA kind reads fp.
typedef uint64_t gp_rule;

enum {
    GP_RULE_RETURN_IN_LINK = 1u << 5,  // the return address is still in the link register
    GP_RULE_READS_FP = 1u << 6,  // the way out of the frame depends on its fp, for its own CFA …
    GP_RULE_PASSES_FP = 1u << 7,  // … or because it hands it on to its caller
};

static inline gp_cfa_kind gp_rule_cfa(gp_rule rule) {
    return (gp_cfa_kind)(rule & 7);
}
static inline gp_fp_kind gp_rule_fp(gp_rule rule) {
    return (gp_fp_kind)(rule >> 3 & 3);
}
static inline int64_t gp_rule_offset(gp_rule rule) {
    return ((int64_t)(rule << 32) >> 40) * 8;
}
static inline int64_t gp_rule_addend(gp_rule rule) {
    return ((int64_t)(rule << 24) >> 56) * 8;
}
static inline int64_t gp_rule_fp_offset(gp_rule rule) {
    return ((int64_t)rule >> 40) * 8;
}

static inline uint8_t gp_rule_traits(gp_rule rule) {
    return (uint8_t)(rule >> 6 & 3);
}

static inline bool gp_rule_return_in_link(gp_rule rule) {
    return GP_RETURN_AT_CFA == 0 && (rule & GP_RULE_RETURN_IN_LINK);
}

// The return address from the CFA. Where the processor does not put it there, functions store it behind the caller's fp.
static inline int64_t gp_rule_return_offset(gp_rule rule) {
    if (GP_RETURN_AT_CFA != 0)
        return GP_RETURN_AT_CFA;
    return gp_rule_fp_offset(rule) + (gp_rule_fp(rule) == GP_FP_AT_CFA ? 8 : 0);
}

// Whether a return address that was read at `slot` lies in its frame, as a memo takes for granted.
static inline bool gp_rule_return_lies_in(uintptr_t slot, uintptr_t sp, uintptr_t cfa) {
    return GP_RETURN_AT_CFA != 0 || (slot >= sp && slot < cfa);
}

// False when a number does not fit: the frame then counts as unknown.
static inline bool gp_rule_pack(gp_rule *rule, gp_cfa_kind cfa, int64_t offset, int64_t addend, gp_fp_kind fp,
                                int64_t fp_offset) {
    const bool reads = cfa == GP_CFA_FP || cfa == GP_CFA_AT_FP || cfa == GP_CFA_UNKNOWN || fp == GP_FP_AT_FP;
    const bool passes = fp == GP_FP_SAME && cfa != GP_CFA_SIGNAL && cfa != GP_CFA_END && cfa != GP_CFA_UNKNOWN;
    *rule = (reads ? GP_RULE_READS_FP : 0) | (passes ? GP_RULE_PASSES_FP : 0) | (uint64_t)cfa | (uint64_t)fp << 3 |
            ((uint64_t)(offset / 8) & 0xffffff) << 8 | ((uint64_t)(addend / 8) & 0xff) << 32 |
            (uint64_t)(fp_offset / 8) << 40;
    return gp_rule_offset(*rule) == offset && gp_rule_addend(*rule) == addend && gp_rule_fp_offset(*rule) == fp_offset;
}
