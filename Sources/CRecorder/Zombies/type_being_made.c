#include "type_being_made.h"

#include "arch.h"
#include "metadata.h"
#include "stack_reads.h"
#include "images.h"
#include "swift_types.h"
#include "thread.h"
#include "zombies.h"

enum { WORDS_ABOVE = 24 };

// Metadata made late is looked for in a second pass: while only samples are watched each such look is a system call.
static bool is_class(uintptr_t word, bool is_late) {
    const bool may_be =
        is_late ? gp_metadata_is_in_slab(word) : gp_address_is_readable_image(word - 16, GP_CLASS_BYTES + 16);
    return may_be && gp_metadata_is_class(word);
}

// The better of two guesses is the higher. The runtime's function that makes an object has saved its metadata on the
// stack, next to its caller's words; registers may be anybody's. Only elements behind an object make it larger than its
// class says.
enum { NO_GUESS, FITS, FITS_ON_STACK, EXACT, EXACT_ON_STACK };

static int guess(uintptr_t metadata, size_t size, bool is_on_stack) {
    size_t instance = gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE);
    return instance > size ? NO_GUESS : (instance == size ? EXACT : FITS) + is_on_stack;
}

__attribute__((noinline)) uint32_t gp_type_being_made(gp_thread *thread, size_t size, uintptr_t sp) {
    __builtin_unwind_init();  // every preserved register now lies in this frame
    uintptr_t low = (uintptr_t)__builtin_frame_address(0) - 64, high = sp + WORDS_ABOVE * 8;
    const gp_stack_reads reads = gp_stack_reads_at(thread, sp);
    if (high > reads.high)
        high = reads.high;
    uint32_t found = 0;
    int best = NO_GUESS;
    for (int is_late = 0; is_late <= 1; is_late++) {
        for (uintptr_t at = low & ~(uintptr_t)7; at + 8 <= high && best < EXACT_ON_STACK; at += 8) {
            uintptr_t word = *(volatile uintptr_t *)at;
            bool is_own_stack = word >= low && word < thread->stack_high;
            if ((word & 7) != 0 || word < 65536 || word >> GP_USER_BITS != 0 || is_own_stack ||
                gp_zombie_is_guarded((void *)word) || !is_class(word, is_late))
                continue;
            int rank = guess(word, size, at >= sp);
            uint32_t type = rank > best ? gp_type_id(thread, word, size) : 0;
            if (type) {
                best = rank;
                found = type;
            }
        }
    }
    return found;
}
