#include "reference_counting.h"

#include <stdatomic.h>
#include <string.h>

#include "recording_state.h"
#include "reference_counts.h"
#include "signal_chain.h"
#include "site_counts.h"
#include "spool.h"
#include "stack.h"
#include "swift_types.h"
#include "tail_caller.h"
#include "trace_writer.h"

enum {
    GAP_MOST = 127,  // calls between two samples of a frequent one: every 64th on average
    GAP_GROWTH = 4,  // by so many it grows with each sample, so that a rare call has some too
    WRITE_SHARE = 8,  // of the run: at most so much of it is lost with a program that is killed
};

static const uint64_t WRITE_REST_NS = 100000000;

static bool is_placed;
static _Atomic bool is_asked;  // of this recording
static const char *failure = "the program was not started with gameprof record --dormant --arc.";
static _Atomic uint64_t missed;  // changes while their thread was inside the recorder

typedef struct {
    gp_thread *thread;
    gp_registers caller;
    gp_table_key key;
    uint32_t hook;
    uint32_t changes;
    bool is_immortal;
} change;

static inline void add(gp_site_count *count, const change *made) {
    count->calls++;
    count->changes += made->changes;
    count->immortal += made->is_immortal;
}

static uint32_t next_gap(gp_site_counts *sites, gp_site_count *count) {
    sites->random ^= sites->random << 13;
    sites->random ^= sites->random >> 17;
    sites->random ^= sites->random << 5;
    const uint32_t most = 1 + GAP_GROWTH * ++count->samples;
    return 1 + sites->random % (most < GAP_MOST ? most : GAP_MOST);
}

static gp_site_count *find_or_make(const change *made, gp_site_counts *sites, uint64_t place) {
    const gp_table_key key = {place, made->key.second};
    gp_site_count *count = gp_site_count_find(sites, key);
    if (count)
        return count;
    count = gp_site_count_make(made->thread, sites, key);
    count->type = gp_type_id(made->thread, key.second, SIZE_MAX);
    return count;
}

// Counts one of the stacks that lead to a call, for as many calls as it stands for.
static void sample(const change *made, gp_site_counts *sites, uint32_t stack, uint32_t calls) {
    const uint64_t flags = made->key.first >> GP_SITE_FLAGS_SHIFT | GP_COUNTING_SAMPLED;
    gp_site_count *count = find_or_make(made, sites, flags << GP_SITE_FLAGS_SHIFT | stack);
    count->stack = stack;
    count->calls += calls;
}

static void write_due(gp_thread *thread, gp_site_counts *sites) {
    const uint64_t now = gp_coarse_ns();
    if (now < sites->due_ns)
        return;
    if (sites->due_ns)
        gp_table_each(thread, &sites->table, gp_site_count_write);
    sites->due_ns = now + (now / WRITE_SHARE > WRITE_REST_NS ? now / WRITE_SHARE : WRITE_REST_NS);
}

// Counts a change that is the first of its call, or whose stack is taken: with more room than the stack of a handler may have.
static void look_closer(void *argument) {
    const change *made = argument;
    gp_thread *const thread = made->thread;
    gp_site_counts *sites = gp_site_counts_make(thread);
    if (!sites) {
        gp_spool_drop(1);
        return;
    }
    if (sites->generation != atomic_load_explicit(&gp_stack_generation, memory_order_acquire))
        gp_site_counts_forget(thread, sites);
    const uint32_t whole = gp_stack_id(thread, made->caller);
    const uint32_t stack = gp_stack_with_tail_caller(thread, whole, made->hook, made->caller.pc);
    gp_site_count *count = find_or_make(made, sites, made->key.first);
    if (!count->stack)
        count->stack = gp_stack_with_tail_caller(thread, gp_stack_node(thread, 0, made->caller.pc, 0), made->hook,
                                                 made->caller.pc);
    add(count, made);
    const uint32_t calls = count->gap;
    count->until_sample = count->gap = next_gap(sites, count);
    if (stack)
        sample(made, sites, stack, calls);
    write_due(thread, sites);
}

static inline void count_made(change *made) {
    gp_site_counts *sites = gp_site_counts_of(made->thread);
    gp_site_count *count =
        sites && sites->generation == atomic_load_explicit(&gp_stack_generation, memory_order_acquire)
            ? gp_site_count_find(sites, made->key)
            : NULL;
    if (GP_LIKELY(count && --count->until_sample > 0))
        add(count, made);
    else
        gp_call_with_room(look_closer, made);
}

static inline uint64_t flags_of(uint32_t hook) {
    const bool releases = hook == GP_HOOK_RELEASE || hook == GP_HOOK_RELEASE_N || hook == GP_HOOK_NONATOMIC_RELEASE ||
                          hook == GP_HOOK_NONATOMIC_RELEASE_N;
    return (releases ? GP_COUNTING_RELEASES : 0) | (hook >= GP_HOOK_NONATOMIC_RETAIN ? GP_COUNTING_NONATOMIC : 0);
}

static inline bool has_number(uint32_t hook) {
    return hook == GP_HOOK_RETAIN_N || hook == GP_HOOK_RELEASE_N || hook == GP_HOOK_NONATOMIC_RETAIN_N ||
           hook == GP_HOOK_NONATOMIC_RELEASE_N;
}

static void count_change(uintptr_t given, uint32_t times, uint32_t hook, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    const uintptr_t object = given & GP_ADDRESS_BITS;
    gp_thread *thread = NULL;
    if (object && atomic_load_explicit(&is_asked, memory_order_relaxed) && gp_recording_runs() &&
        gp_recording.instruments & GP_INSTRUMENT_TIME)
        thread = gp_thread_current();
    if (!thread)
        return;
    // A handler of the program's interrupted the recorder. Hidden threads are none of the program's.
    if (GP_UNLIKELY(thread->busy)) {
        atomic_fetch_add_explicit(&missed, !thread->is_hidden, memory_order_relaxed);
        return;
    }
    thread->busy = true;
    change made = {
        .thread = thread,
        .caller = {pc, sp, fp, 0},
        .key = {flags_of(hook) << GP_SITE_FLAGS_SHIFT | pc, *(const uintptr_t *)object},
        .hook = hook,
        .changes = has_number(hook) ? times : 1,
        .is_immortal = gp_count_word_is_immortal(*(const uint64_t *)(object + 8)),
    };
    count_made(&made);
    gp_thread_leave(thread);
}

static void begin_to_wait(const char *options) {
    if (!options || !*options)
        return;
    failure = gp_hooks_place(GP_HOOKS_OF_CHANGES, count_change);
    is_placed = !failure;
}

static void prepare(gp_thread *thread, const char *options) {
    atomic_store(&is_asked, options && *options);
    if (!gp_recording_is_dormant)
        begin_to_wait(options);
    if (is_placed || !is_asked)
        return;
    char sentence[256] = "Retains and releases are not counted: ";
    strncat(sentence, failure, sizeof sentence - strlen(sentence) - 1);
    gp_write_note(thread, sentence);
}

static void write_missed(gp_thread *thread) {
    gp_reference_counting record = {.header.kind = GP_REFERENCE_COUNTING, .calls = atomic_exchange(&missed, 0)};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
}

static bool flush(gp_thread *thread) {
    if (!is_placed || !is_asked)
        return true;
    gp_tables_each(thread, GP_INSTRUMENT_TIME, gp_site_count_write);
    write_missed(thread);
    return true;
}

static void crash(gp_thread *thread, const void *context) {
    (void)context;
    flush(thread);
}

const gp_instrument gp_reference_counting_instrument = {
    .recorded = GP_INSTRUMENT_TIME,
    .variable = "GAMEPROF_ARC",
    .prepare = prepare,
    .wait = begin_to_wait,
    .crash = crash,
    .flush = flush,
};
