#include "type_being_made.h"

#include "arch.h"
#include "metadata.h"
#include "stack_reads.h"
#include "images.h"
#include "swift_types.h"
#include "thread.h"
#include "zombies.h"

enum { WORDS_ABOVE = 24 };

// Whether the word may be metadata.
typedef bool (*filter)(uintptr_t word);

static bool is_in_image(uintptr_t word) {
    return gp_address_is_readable_image(word - 16, GP_CLASS_BYTES + 16);
}

static bool is_late(uintptr_t word) {
    return !is_in_image(word) && gp_metadata_is_in_slab(word);
}

// The better of two guesses is the higher. The runtime's function that makes an object has saved its metadata on the
// stack, next to its caller's words; registers may be anybody's. Only elements behind an object make it larger than its
// class says.
enum { NO_GUESS, FITS, FITS_ON_STACK, EXACT, EXACT_ON_STACK };

static int guess(uintptr_t metadata, size_t size, bool is_on_stack) {
    size_t instance = gp_u32_at(metadata + GP_CLASS_INSTANCE_SIZE);
    return instance > size ? NO_GUESS : (instance == size ? EXACT : FITS) + is_on_stack;
}

typedef struct {
    gp_thread *thread;
    size_t size;
    uintptr_t low, high, sp;
} search;

static uint32_t best_class(const search *s, filter may_be_metadata) {
    uint32_t found = 0;
    int best = NO_GUESS;
    for (uintptr_t at = s->low; at + 8 <= s->high && best < EXACT_ON_STACK; at += 8) {
        uintptr_t word = *(volatile uintptr_t *)at;
        bool is_own_stack = word >= s->low && word < s->thread->stack_high;
        if ((word & 7) != 0 || word < 65536 || word >> GP_USER_BITS != 0 || is_own_stack ||
            gp_zombie_is_guarded((void *)word) || !may_be_metadata(word) || !gp_metadata_is_class(word))
            continue;
        int rank = guess(word, s->size, at >= s->sp);
        uint32_t type = rank > best ? gp_type_id(s->thread, word, s->size) : 0;
        if (type) {
            best = rank;
            found = type;
        }
    }
    return found;
}

__attribute__((noinline)) uint32_t gp_type_being_made(gp_thread *thread, size_t size, uintptr_t sp) {
    __builtin_unwind_init();  // every preserved register now lies in this frame
    uintptr_t low = ((uintptr_t)__builtin_frame_address(0) - 64) & ~(uintptr_t)7, high = sp + WORDS_ABOVE * 8;
    const gp_stack_reads reads = gp_stack_reads_at(thread, sp);
    if (high > reads.high)
        high = reads.high;
    const search s = {thread, size, low, high, sp};
    if (!gp_zombies_sampled_only)
        return best_class(&s, gp_metadata_is_readable);
    // Any class will do. A look for metadata made late is a system call for each word.
    const uint32_t found = best_class(&s, is_in_image);
    return found ? found : best_class(&s, is_late);
}
