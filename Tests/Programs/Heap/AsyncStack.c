// What stands below the frame that an executor resumed leads to the contexts of the awaiting callers, or to anything:
// code that keeps no frame pointers leaves any value there.
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "Check.h"
#include "runtime_symbols.h"
#include "../../../Sources/Recorder/Time/sampled_stack.h"
#include "call_site.h"
#include "stack_tree.h"
#include "images.h"
#include "recording_state.h"
#include "thread.h"

enum { JOB_RUN = 0x1000, RESUMED = 0x2000, CALLERS = 0x3000, THREADS_OWN = 7, CONTEXTS = 3, RANDOM = 200000 };

gp_recording_page gp_recording = {.state = GP_RECORDING_ON};

void gp_runtime_symbols(const char *const *names, uintptr_t *addresses, size_t count) {
    (void)names, (void)count;
    addresses[0] = JOB_RUN;
}
const gp_image_info *gp_image_find(gp_thread *thread, uintptr_t address) {
    (void)thread, (void)address;
    return NULL;
}
uintptr_t gp_function_start(uintptr_t pc) {
    return pc & ~(uintptr_t)0xff;
}
// A sum of what stands on the stack.
uint32_t gp_stack_node(gp_thread *thread, uint32_t parent, uintptr_t pc, uint8_t flags) {
    (void)thread, (void)flags;
    return parent * 31 + (uint32_t)pc + 1;
}

typedef struct {
    uintptr_t parent, resume, locals[14];
} async_context;

static gp_stacks stacks;
static gp_thread thread;

// The stack: the executor, and the function that it resumed with `fp` in rbp.
static uint32_t sample(gp_async_chain *chain, uintptr_t sp, uintptr_t fp) {
    gp_stack_memo *memo = stacks.last = &stacks.memos[0];
    memo->frames[0] = (gp_stack_frame){.at.pc = JOB_RUN + 5};
    memo->frames[1] = (gp_stack_frame){.at = {.pc = RESUMED + 5, .fp = fp}};
    memo->count = 2;
    memo->sp = sp;
    return gp_async_stack_id(&thread, &stacks, chain, THREADS_OWN);
}

static uint32_t sample_with(gp_async_chain *chain, uintptr_t context) {
    uintptr_t frame[2] = {context, 0};
    return sample(chain, (uintptr_t)frame, (uintptr_t)&frame[1]);
}

// Whatever the last sample knows, the next finds what one that knows nothing does.
static void check_alike(const gp_async_chain *known, uintptr_t context) {
    static gp_async_chain with, without;
    with = *known;
    without = (gp_async_chain){0};
    CHECK(sample_with(&with, context) == sample_with(&without, context));
}

static void check_ends_of_memory(const gp_async_chain *known) {
    for (uintptr_t place = 0; place < 64; place++) {
        check_alike(known, place);
        check_alike(known, -place);
        check_alike(known, ((uintptr_t)1 << 47) - place);
        check_alike(known, ((uintptr_t)1 << 63) - place);
    }
}

static void check_around(const gp_async_chain *known, uintptr_t start, uintptr_t end) {
    uint64_t state = 1;
    for (int i = 0; i < RANDOM; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        check_alike(known, start - 64 + (state >> 33) % (end - start + 128));
    }
}

static void check_far_frames(gp_async_chain *chain) {
    const uintptr_t here = (uintptr_t)&chain;
    struct rlimit small = {1 << 20, 1 << 20};
    CHECK(setrlimit(RLIMIT_STACK, &small) == 0);
    for (uintptr_t distance = 8; distance <= (uintptr_t)256 << 20; distance *= 2) {
        sample(chain, here & -16ul, (here & -16ul) - distance);
        sample(chain, here & -16ul, (here & -16ul) + distance);
    }
    for (uintptr_t place = 0; place < 32; place++) {
        sample(chain, here & -16ul, place);
        sample(chain, here & -16ul, -place);
        sample(chain, here & -16ul, thread.stack_high - 16 + place);
    }
}

int main(int count, char **arguments) {
    (void)count;
    // As for a main thread: its stack reaches to its end, downwards it is as long as it is.
    thread.stack_high = ((uintptr_t)arguments & -16ul) + 64;
    gp_async_stack_prepare();
    async_context *contexts = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(contexts != MAP_FAILED && munmap((char *)contexts + 4096, 4096) == 0);
    // The last ones of the page, each within the next.
    contexts += 4096 / sizeof *contexts - CONTEXTS;
    for (int i = 0; i < CONTEXTS; i++)
        contexts[i] =
            (async_context){i + 1 < CONTEXTS ? (uintptr_t)&contexts[i + 1] : 0, CALLERS + 0x100u * (unsigned)i, {0}};

    gp_async_chain chain = {0};
    const uint32_t found = sample_with(&chain, (uintptr_t)contexts);
    CHECK(found != THREADS_OWN && chain.callers == CONTEXTS && chain.spans == 1);
    CHECK(sample_with(&chain, (uintptr_t)contexts) == found);
    CHECK(sample_with(&(gp_async_chain){0}, 0) == THREADS_OWN);

    check_ends_of_memory(&chain);
    check_around(&chain, chain.span[0].start, chain.span[0].end);
    check_far_frames(&chain);
    puts("passed");
}
