// Blocks are allocated: which get guarded pages, and what is known of all.
//
// Objects get guarded pages when that is asked for; when nothing is, the first ones of each class and of each allocation stack
// do, and a sample of the later ones, as often as the cost of pages allows.
#include "arch.h"
#include "guard_pages.h"
#include "images.h"
#include "live_table.h"
#include "metadata.h"
#include "proc_path.h"
#include "quarantine.h"
#include "recording_state.h"
#include "signal_chain.h"
#include "stack_reads.h"
#include "swift_types.h"
#include "system.h"
#include "trace_writer.h"
#include "zombies.h"

__thread __attribute__((tls_model("initial-exec"))) uint32_t gp_zombie_since_sample;

// ------------------------------------------------------------------------------------------ the class of a new object

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

// swift_allocObject keeps the metadata in a register that calls preserve, or on its stack, until the memory is there.
// Looks at the registers as they are now and at the stack from here up to a little above `sp`. A wrong answer is
// harmless: only the choice of blocks to guard depends on it. Returns the metadata's type id, 0: none, or no room to look.
static __attribute__((noinline)) uint32_t type_being_made(gp_thread *thread, size_t size, uintptr_t sp) {
    if (gp_stack_has_little_room())
        return 0;
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

// ------------------------------------------------------------------------------------------------------- chosen objects

enum { STACKS = 1 << 20, LOOKS_MOST = 8 };

// By stack: how many of its blocks were looked at. One for which there was a verdict counts several times.
static uint8_t of_stack[STACKS];
bool gp_guard_chooses;
static __thread __attribute__((tls_model("initial-exec"))) uint32_t random_state;

// Of a class: how many of its objects are chosen at any rate. Of a stack: LOOKS_MOST / WEIGHT.
enum { FIRST_OF_CLASS = 4, WEIGHT = 2, CLASSES = 1 << 16 };

static uint8_t of_class[CLASSES];  // by type id

// The pages of an object take 10 to 20 µs, most of it the kernel's: after so many objects one in four milliseconds is
// chosen. What is rarer has more of them to itself: where stacks are without number a class that comes late finds some
// left, and samples leave some to new stacks.
enum { OBJECTS_AT_ONCE = 1024, NS_PER_OBJECT = 4000000 };
typedef enum { OF_CLASS = 4, OF_STACK = 2, OF_SAMPLE = 1 } rank;

// The time from which on OBJECTS_AT_ONCE may be chosen at once. Each one that is chosen adds NS_PER_OBJECT.
static uint64_t rested_ns;

// How far a thread goes to the next sample: from … to a little less than twice as far.
enum { AFTER_CHOSEN = 32, AFTER_UNTYPED = 8, AFTER_DENIED = 256 };

// The program's own mappings have precedence: a page that can be touched between two that cannot takes two.
enum { LIVE_MOST = 4096, MAPPINGS_PER_LIVE = 16, USUAL_MAPPINGS = 65530 };

static uint32_t live_most;

static uint32_t permitted_mappings(void) {
    char text[32];
    const size_t length = gp_read_text("/proc/sys/vm/max_map_count", text, sizeof text);
    const uint64_t number = length > 0 ? gp_number_at(text) : USUAL_MAPPINGS;
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void gp_guard_choose(void) {
    const uint32_t share = permitted_mappings() / MAPPINGS_PER_LIVE;
    live_most = share < LIVE_MOST ? share : LIVE_MOST;
    gp_guard_chooses = true;
}

static uint32_t far_as(uint32_t least) {
    if (!random_state)
        random_state = (uint32_t)((uintptr_t)&random_state >> 4) | 1;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return least + random_state % least;
}

static bool live_allow(rank rank) {
    return gp_guard_count_live() < (uint64_t)live_most * (rank == OF_CLASS ? 4 : rank == OF_STACK ? 3 : 2) / 4;
}

// Whether the objects that were chosen so far allow another one now.
static bool time_allows(rank rank, uint64_t now, uint64_t rested) {
    return rested <= now + (uint64_t)OBJECTS_AT_ONCE * rank / OF_CLASS * NS_PER_OBJECT;
}

static bool may_choose(rank rank) {
    return time_allows(rank, gp_coarse_ns(), __atomic_load_n(&rested_ns, __ATOMIC_RELAXED)) && live_allow(rank);
}

static void note_chosen(void) {
    const uint64_t now = gp_coarse_ns();
    uint64_t rested = __atomic_load_n(&rested_ns, __ATOMIC_RELAXED), next;
    do
        next = (rested > now ? rested : now) + NS_PER_OBJECT;
    while (!__atomic_compare_exchange_n(&rested_ns, &rested, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

// Counts are not exact where threads meet: a few objects more or less are chosen.
static void add(uint8_t *count, uint8_t number) {
    const uint8_t before = __atomic_load_n(count, __ATOMIC_RELAXED);
    __atomic_store_n(count, before < UINT8_MAX - number ? before + number : UINT8_MAX, __ATOMIC_RELAXED);
}

typedef enum { CHOSEN, DENIED, UNTYPED } verdict;

// Whether the block of a stack that was looked at so often is an object, and is to have pages of its own.
static verdict verdict_on(gp_thread *thread, size_t size, uintptr_t sp, uint8_t looks) {
    const bool may = may_choose(looks < LOOKS_MOST ? OF_STACK : OF_SAMPLE);
    if (!may && looks > 0)
        return DENIED;
    const uint32_t type = type_being_made(thread, size, sp);
    if (!type)
        return UNTYPED;
    uint8_t *seen = &of_class[type % CLASSES];
    const bool is_first = __atomic_load_n(seen, __ATOMIC_RELAXED) < FIRST_OF_CLASS;
    if (!may && !(is_first && may_choose(OF_CLASS)))
        return DENIED;
    if (is_first)
        add(seen, 1);
    return CHOSEN;
}

// Whether a block that this stack of the thread allocated is to be looked at.
static inline bool is_due(gp_thread *thread, uint32_t stack) {
    return GP_UNLIKELY(__atomic_load_n(&of_stack[stack % STACKS], __ATOMIC_RELAXED) < LOOKS_MOST) ||
           GP_UNLIKELY(--thread->blocks_unchosen < 0);
}

// A guarded block in place of a new one, if that is chosen; `block` was then given to `give_back`. The thread is busy.
GP_SLOW_PATH static void *choose(gp_thread *thread, void *block, size_t size, uint32_t stack, uintptr_t sp,
                                 void (*give_back)(void *block)) {
    uint8_t *count = &of_stack[stack % STACKS];
    if (!gp_guard_chooses) {
        add(count, LOOKS_MOST);
        thread->blocks_unchosen = INT32_MAX;
        return block;
    }
    const uint8_t looks = __atomic_load_n(count, __ATOMIC_RELAXED);
    const bool is_sample = thread->blocks_unchosen < 0;
    const size_t room = gp_live_usable_size((uintptr_t)block);
    const bool fits = size >= 16 && room <= GP_GUARD_PAGE && !gp_guard_holds((uintptr_t)block);
    const verdict verdict = fits ? verdict_on(thread, size, sp, looks) : UNTYPED;
    void *guarded = verdict == CHOSEN ? gp_guard_make(0, size, 1, room) : NULL;
    if (looks < LOOKS_MOST)
        add(count, verdict == DENIED ? 1 : WEIGHT);
    if (is_sample)
        thread->blocks_unchosen = (int32_t)far_as(verdict == CHOSEN    ? AFTER_CHOSEN
                                                  : verdict == UNTYPED ? AFTER_UNTYPED
                                                                       : AFTER_DENIED);
    if (!guarded)
        return block;
    note_chosen();
    give_back(block);
    return guarded;
}

// ----------------------------------------------------------------------------------------------------- new blocks

void *gp_zombie_guarded_block(size_t size, size_t alignment, uintptr_t sp) {
    gp_thread *thread = size >= 16 && gp_recording_is_on() ? gp_thread_current() : NULL;
    if (!thread || thread->busy)
        return NULL;
    bool sampled = gp_zombie_asked.sample && gp_zombie_is_sampled();
    if (!sampled && !gp_zombie_asked.guard_all && !gp_zombie_asked.guarded_types.names[0])
        return NULL;
    thread->busy = true;
    uint32_t type = type_being_made(thread, size, sp);
    bool wanted =
        type && (sampled || gp_zombie_asked.guard_all || gp_type_is_chosen(&gp_zombie_asked.guarded_types, type));
    void *block = wanted ? gp_guard_make(0, size, alignment, size) : NULL;
    if (sampled)
        gp_zombie_since_sample = 0;
    gp_thread_leave(thread);
    return block;
}

// `is_new`: nothing was written to it; `give_back` frees it then.
static inline __attribute__((always_inline)) void *allocated(void *block, size_t size, uintptr_t pc, uintptr_t sp,
                                                             uintptr_t fp, bool is_new,
                                                             void (*give_back)(void *block)) {
    if (GP_UNLIKELY(!block))
        return block;
    gp_thread *thread = gp_thread_current();
    if (GP_UNLIKELY(!thread || thread->busy)) {
        gp_live_put((uintptr_t)block, size, 0, GP_BLOCK_RECORDER);
        return block;
    }
    thread->busy = true;
    uint32_t stack = gp_stack_id_inline(thread, gp_thread_stacks(thread), pc, sp, fp);
    if (is_new && is_due(thread, stack) && !gp_is_loader_code(pc))
        block = choose(thread, block, size, stack, sp, give_back);
    gp_live_store((uintptr_t)block, gp_live_pack(size, stack, gp_is_loader_code(pc) ? GP_BLOCK_LOADER : 0));
    gp_thread_leave(thread);
    return block;
}

void *gp_zombie_born(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    return allocated(block, size, pc, sp, fp, false, NULL);
}

void *gp_zombie_made(void *block, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                     void (*give_back)(void *block)) {
    return allocated(block, size, pc, sp, fp, true, give_back);
}
