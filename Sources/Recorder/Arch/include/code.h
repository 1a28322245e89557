// Reading and writing instructions: the only part of the recorder that knows their bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"

// Where in a function without call frame information an interrupted pc stands.
typedef enum {
    GP_CODE_INSIDE,  // the frame pointer holds its frame
    GP_CODE_WITHOUT_FRAME,  // at its entry, at its return, or behind the pop of the frame pointer
    GP_CODE_FRAME_BEGUN,  // the caller's frame pointer was pushed, its own is not yet set
} gp_code_place;

gp_code_place gp_code_place_of(const uint8_t *pc);

// The call in front of a return address.
typedef struct {
    enum {
        GP_CALL_NONE,
        GP_CALL_DIRECT,  // of `address`
        GP_CALL_BY_WORD,  // of what the word at `address` holds
        GP_CALL_INDIRECT,  // of what a register or another word holds
    } kind;
    uintptr_t address;
} gp_code_call;

enum { GP_CODE_CALL_BEFORE = 7, GP_CODE_CALL_BEHIND = 1 };  // bytes that are read around the return address

gp_code_call gp_code_call_before(const uint8_t *behind);

// The word through which an entry of the linkage table jumps; 0: the code is no such entry.
uintptr_t gp_code_link_word(const uint8_t *code);

// The number of the system call behind whose instruction a thread stands, with these registers (by number, as
// gp_context_register has them); −1: not known.
long gp_code_system_call_number(uintptr_t pc, const uintptr_t *registers);

// Whether the function gave the system a number that its caller has on the stack as seventh argument, in no register by now: glibc
// does from 2.41 on where a thread can be cancelled.
bool gp_code_is_given_call_number(uintptr_t pc);

// Whether `pc` stands behind, or at, an instruction that calls the system. Reads no page but that of pc.
bool gp_code_is_behind_system_call(uintptr_t pc);
bool gp_code_is_at_system_call(uintptr_t pc);

// What a function that returns a thread-local variable's place says of it, where the compiler made it as it always does.
// `index`: where the loader keeps its module and offset, 0: it lies at `offset` from the thread pointer; else `offset` is
// what is added.
enum { GP_CODE_GETTER_BYTES = 4 + 12 + 3 + 4 + 2 };
bool gp_code_thread_local_getter(const uint8_t *code, uintptr_t *index, intptr_t *offset);

// Detours: GP_CODE_NEAR_JUMP, GP_CODE_FAR_JUMP: bytes of a jump to within GP_CODE_REACH bytes, and to anywhere;
// GP_CODE_MOVED_MOST: bytes of a function that are read.

// Copies the whole instructions that make room for a near jump, corrected for their new place. Returns their bytes; 0: one
// of them cannot be moved, or they are more than `capacity`.
size_t gp_code_move(uint8_t *to, const uint8_t *from, size_t capacity);

// Writes a jump to anywhere.
void gp_code_write_far_jump(uint8_t *place, uintptr_t target);

// Writes the bytes of a jump that will stand at `place`. False: the target is too far away.
bool gp_code_near_jump(uint8_t jump[GP_CODE_NEAR_JUMP], uintptr_t place, uintptr_t target);
