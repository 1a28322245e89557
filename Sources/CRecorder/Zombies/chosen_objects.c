#include "chosen_objects.h"

#include "guard_pages.h"
#include "guarded_page_pool.h"
#include "live_table.h"
#include "system.h"
#include "trace_writer.h"
#include "type_being_made.h"
#include "words.h"

uint8_t gp_chosen_of_stack[GP_CHOSEN_STACKS];
bool gp_chosen_is_open;
static __thread __attribute__((tls_model("initial-exec"))) uint32_t random_state;

// Of a class: how many of its objects are chosen at any rate. Of a stack: GP_CHOSEN_ENOUGH / WEIGHT.
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
    char text[32] = "";
    long file = gp_system(openat, AT_FDCWD, "/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return USUAL_MAPPINGS;
    long length = gp_system(read, file, text, sizeof text - 1);
    gp_system(close, file);
    uint64_t number = length > 0 ? gp_number_at(text) : USUAL_MAPPINGS;
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void gp_chosen_open(void) {
    const uint32_t share = permitted_mappings() / MAPPINGS_PER_LIVE;
    live_most = share < LIVE_MOST ? share : LIVE_MOST;
    gp_chosen_is_open = true;
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
    const bool may = may_choose(looks < GP_CHOSEN_ENOUGH ? OF_STACK : OF_SAMPLE);
    if (!may && looks > 0)
        return DENIED;
    const uint32_t type = gp_type_being_made(thread, size, sp);
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

void *gp_chosen_block(gp_thread *thread, void *block, size_t size, uint32_t stack, uintptr_t sp,
                      void (*give_back)(void *block)) {
    uint8_t *of_stack = &gp_chosen_of_stack[stack % GP_CHOSEN_STACKS];
    if (!gp_chosen_is_open) {
        add(of_stack, GP_CHOSEN_ENOUGH);
        thread->blocks_unchosen = INT32_MAX;
        return block;
    }
    const uint8_t looks = __atomic_load_n(of_stack, __ATOMIC_RELAXED);
    const bool is_sample = thread->blocks_unchosen < 0;
    const size_t room = gp_live_usable_size((uintptr_t)block);
    const bool fits = size >= 16 && room <= GP_GUARD_PAGE && !gp_guard_holds((uintptr_t)block);
    const verdict verdict = fits ? verdict_on(thread, size, sp, looks) : UNTYPED;
    void *guarded = verdict == CHOSEN ? gp_guard_make(0, size, 1, room) : NULL;
    if (looks < GP_CHOSEN_ENOUGH)
        add(of_stack, verdict == DENIED ? 1 : WEIGHT);
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
