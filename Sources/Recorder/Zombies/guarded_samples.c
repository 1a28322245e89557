#include "guarded_samples.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "TraceFormat.h"
#include "arch.h"
#include "arena.h"
#include "fault.h"
#include "guard_pages.h"
#include "images.h"
#include "kernel_signals.h"
#include "recording_state.h"
#include "reference_counts.h"
#include "signal_chain.h"
#include "stack.h"
#include "swift_types.h"
#include "system.h"
#include "task_list.h"
#include "thread.h"
#include "trace_writer.h"
#include "virtual_mask.h"
#include "words.h"
#include "zombie_record.h"

uint32_t gp_guarded_samples_one_in;
static bool is_open;

// A page that can be touched between two that cannot is a mapping of its own: 1,025 of the 65,530 that the kernel permits.
enum { PAGES = 1024, LIVE_MOST = PAGES / 2, DEFAULT_ONE_IN = 0, HEADER = 16 };
_Static_assert(PAGES <= GP_GUARD_RECENT_MOST, "pages keep what they held when they were taken away");

// Where `asked` and something is recorded.
static gp_thread *enter(bool asked) {
    return asked && gp_recording_is_on() ? gp_thread_enter() : NULL;
}

// The header of a chunk that glibc mapped alone, which is this page: how far into it the chunk begins, and the chunk's size.
static void write_header(uintptr_t block) {
    enum { IS_MAPPED = 2 };
    size_t *header = (size_t *)(block - HEADER);
    header[0] = block - HEADER - gp_page_start(block);
    header[1] = (GP_GUARD_PAGE - header[0]) | IS_MAPPED;
}

void *gp_guarded_sample_make(size_t size, size_t alignment, size_t room, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    const size_t lead = alignment > HEADER ? alignment : HEADER;
    gp_thread *thread = enter(lead <= GP_GUARD_PAGE / 2 && room <= GP_GUARD_PAGE - lead && !gp_is_loader_code(pc));
    if (!thread)
        return NULL;
    void *block = gp_guard_make(lead, GP_GUARD_PAGE - lead, alignment, room);
    if (block) {
        write_header((uintptr_t)block);
        gp_quarantine_slot *slot = gp_guard_slot((uintptr_t)block);
        slot->size = size;
        slot->allocated = gp_stack_id(thread, (gp_registers){pc, sp, fp, 0});
    }
    gp_thread_leave(thread);
    return block;
}

// No page may be out of reach any more.
static void give_up(gp_thread *thread, const char *why) {
    __atomic_store_n(&gp_guarded_samples_one_in, 0, __ATOMIC_RELAXED);
    gp_guard_open_for_good();
    if (thread)
        gp_write_note(thread, why);
}

void gp_guarded_samples_end(void) {
    if (!is_open || !gp_guarded_samples_one_in)
        return;
    gp_thread *thread = enter(true);
    give_up(thread,
            "The program restricts its system calls (seccomp or no_new_privs): from then on no sampled block was "
            "guarded.");
    if (thread)
        gp_thread_leave(thread);
}

// A release too many would run the deinit again: the object is never deallocated a second time.
static void make_lasting(uintptr_t object) {
    gp_object_counts_fill(object, (gp_reference_counts){.strong = 1 << 28, .unowned = 1 << 20});
}

// True for one of two threads that free the block at the same moment.
static bool begins_to_die(gp_quarantine_slot *slot) {
    uint64_t live = GP_GUARD_LIVE;
    return __atomic_compare_exchange_n(&slot->state, &live, GP_GUARD_DYING, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void die(gp_thread *thread, gp_quarantine_slot *slot, gp_registers caller) {
    const uintptr_t word = slot->size >= sizeof word ? *(const uintptr_t *)slot->address : 0;
    gp_quarantine_slot dead = *slot;
    dead.metadata = word;
    dead.type = slot->size >= 2 * sizeof word ? gp_type_id(thread, word, slot->size) : 0;
    dead.deallocated = gp_stack_id(thread, caller);
    dead.thread = thread->id;
    dead.time_ns = gp_now_ns();
    dead.flags = GP_ZOMBIE_GUARDED;
    if (dead.type)
        make_lasting(dead.address);
    gp_guard_quarantine(thread, &dead);
}

static void report(gp_thread *thread, gp_quarantine_slot *slot, uint8_t access, gp_registers caller) {
    gp_zombie_report(
        thread, slot,
        &(gp_zombie_use){.access = access, .flags = GP_ZOMBIE_CONTINUED, .stack = gp_stack_id(thread, caller)});
}

static gp_quarantine_slot *slot_of(const void *block) {
    gp_quarantine_slot *slot = gp_guard_slot((uintptr_t)block);
    return slot && slot->address == (uintptr_t)block ? slot : NULL;
}

// Where nothing is recorded the block keeps its page: in a child made by fork, and once the recording has ended.
void gp_guarded_sample_free(void *block, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_quarantine_slot *slot = slot_of(block);
    gp_thread *thread = enter(slot && is_open);
    if (!thread)
        return;
    if (gp_slot_state(slot) > GP_GUARD_DYING)
        report(thread, slot, GP_ACCESS_FREE, (gp_registers){pc, sp, fp, 0});
    else if (gp_guarded_samples_one_in && !gp_signal_chain_is_first(SIGSEGV))
        give_up(thread, "The program handles SIGSEGV past the C library: from then on no sampled block was guarded.");
    else if (gp_guarded_samples_one_in && begins_to_die(slot))
        die(thread, slot, (gp_registers){pc, sp, fp, 0});
    gp_thread_leave(thread);
}

void gp_guarded_sample_move(void *block, void *target, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t fp) {
    gp_quarantine_slot *slot = slot_of(block);
    const size_t room = gp_zombie_guarded_size(block);
    const bool was_alive = slot && gp_slot_state(slot) <= GP_GUARD_DYING;
    bool is_first;
    gp_thread *thread = enter(!was_alive && gp_guard_open_page((uintptr_t)block, &is_first) && is_first && slot);
    if (thread) {
        report(thread, slot, GP_ACCESS_RESIZE, (gp_registers){pc, sp, fp, 0});
        gp_thread_leave(thread);
    }
    memcpy(target, block, size < room ? size : room);
    if (was_alive)
        gp_guarded_sample_free(block, pc, sp, fp);
}

// With what the allocator gives beyond the requested size, which arrays use.
static bool is_in_block(const gp_quarantine_slot *slot, uintptr_t address) {
    return address - slot->address < slot->size + HEADER;
}

// Any access to the pages is let through: what faults there has reached them by a stale pointer, or from a neighbouring
// block, and would have met ordinary memory.
static bool fault_seen(siginfo_t *info, void *at) {
    const ucontext_t *context = at;
    const uintptr_t address = (uintptr_t)info->si_addr;
    if (info->si_code <= 0 || info->si_code == SI_KERNEL || !gp_guard_holds(address) ||
        gp_page_start(gp_context_pc(context)) == gp_page_start(address))
        return false;
    bool is_first;
    if (!gp_guard_open_page(address, &is_first) || (!is_first && !gp_fault_is_tried_again()))
        return false;
    gp_quarantine_slot *slot = gp_guard_slot(address);
    gp_thread *thread = enter(is_first && slot && is_in_block(slot, address));
    if (!thread)
        return true;
    gp_zombie_report(thread, slot,
                     &(gp_zombie_use){
                         .access = gp_context_faulted_on_write(context) ? GP_ACCESS_WRITE : GP_ACCESS_READ,
                         .flags = GP_ZOMBIE_CONTINUED,
                         .offset = (int64_t)(address - slot->address),
                         .fault = address,
                         .pc = gp_context_pc(context),
                         .stack = gp_fault_stack(thread, context, address),
                     });
    gp_thread_leave(thread);
    return true;
}

// The calls that guarded pages need, made once.
static bool is_permitted(uintptr_t page) {
    return gp_system(mprotect, page, GP_GUARD_PAGE, PROT_NONE) >= 0 &&
           gp_system(mprotect, page, GP_GUARD_PAGE, PROT_READ | PROT_WRITE) >= 0 &&
           gp_system(madvise, page, GP_GUARD_PAGE, MADV_DONTNEED) >= 0;
}

// A filter that the program was started under may end it for a call: a copy of the process tries first.
static bool is_survived(uintptr_t page) {
    const uint64_t before = gp_signal_set_mask(UINT64_MAX);
    const long child = gp_system(clone, 0, 0, 0, 0, 0);
    while (child == 0)
        gp_system(exit_group, is_permitted(page) ? 0 : 1);
    gp_signal_set_mask(before);
    int status = 1;
    return child > 0 && gp_system(wait4, child, &status, __WALL, NULL) == child && status == 0;
}

// The arena is searched for no references, and the blocks in it are found by their addresses. NULL, or why there are none.
static const char *open_pages(void) {
    if (gp_page_size() != GP_PAGE)
        return "This kernel's pages are larger than 4 KiB: no sampled block is guarded.";
    void *const memory = gp_arena_allocate((size_t)PAGES * GP_GUARD_PAGE);
    if (!memory)
        return "There is no room for guarded pages (ulimit -v): no sampled block is guarded.";
    if ((gp_task_call_filters() && !is_survived((uintptr_t)memory)) || !is_permitted((uintptr_t)memory) ||
        gp_system(mprotect, memory, (size_t)PAGES * GP_GUARD_PAGE, PROT_NONE) < 0)
        return "The kernel refuses the system calls that guarded pages need (a seccomp filter): no sampled block is "
               "guarded.";
    return gp_guard_open_at((uintptr_t)memory, PAGES, LIVE_MOST)
               ? NULL
               : "There is no room for guarded pages (ulimit -v): no sampled block is guarded.";
}

// Before the program's own code runs: its handlers are chained, and no block is guarded without the chain.
static void prepare(gp_thread *thread, const char *options) {
    const uint64_t asked = options ? gp_number_at(options) : DEFAULT_ONE_IN;
    if (!gp_sampling_mean || !asked || !gp_recording_is_on())
        return;
    const char *const obstacle = open_pages();
    if (obstacle) {
        gp_write_note(thread, obstacle);
        return;
    }
    gp_signal_chain_begin(SIGSEGV, fault_seen, NULL);
    gp_virtual_mask_begin(gp_virtual_mask);
    is_open = true;
    __atomic_store_n(&gp_guarded_samples_one_in, asked < UINT32_MAX ? (uint32_t)asked : UINT32_MAX, __ATOMIC_RELEASE);
}

static bool flush(gp_thread *thread) {
    if (!is_open)
        return true;
    const gp_guard_counts counts = gp_guard_count();
    gp_zombie_summary record = {.header = {.kind = GP_ZOMBIE_SUMMARY, .flags = GP_ZOMBIES_SAMPLED},
                                .guarded = counts.guarded,
                                .guards_missed = counts.missed};
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    return true;
}

// Its option: GAMEPROF_GUARD_SAMPLES, N: of the samples that fit one in N on average; 0: none.
const gp_instrument gp_guarded_samples_instrument = {
    .recorded = GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS,
    .variable = "GAMEPROF_GUARD_SAMPLES",
    .prepare = prepare,
    .flush = flush,
};
