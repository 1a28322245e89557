#include "analysis_steps.h"

#include <stdio.h>

#include "TraceFormat.h"
#include "live_entry.h"
#include "read_clock.h"
#include "stale_filters.h"
#include "stale_words.h"
#include "system.h"

enum { ROWS = 1024, PATH_LONGEST = 4096, WAIT_MOST_NS = 1000000 };
static const uint64_t PATIENCE_NS = 120ull * GP_SECOND_NS;

typedef struct {
    long file;
    const gp_roots *roots;
    bool is_passing;
    size_t count;
    gp_handed rows[ROWS];
} writing;

static void flush(writing *w) {
    gp_system(write, w->file, w->rows, w->count * sizeof *w->rows);
    w->count = 0;
}

static void add(writing *w, uint32_t kind, uint32_t thread, uint64_t start, uint64_t end) {
    w->rows[w->count++] = (gp_handed){kind, thread, start, end};
    if (w->count == ROWS)
        flush(w);
}

static bool runs(const gp_roots *roots, uint32_t id) {
    for (uint32_t i = 0; i < roots->threads->count; i++)
        if (roots->threads->threads[i].id == id)
            return gp_thread_was_stopped(&roots->threads->threads[i]) && !roots->threads->threads[i].runs_no_code;
    return false;
}

static void add_words(const gp_root_words *words, void *context) {
    writing *w = context;
    const uint32_t flags = (words->next_chunks ? GP_HANDED_NEXT_CHUNKS : 0) | (w->is_passing ? GP_HANDED_PASSING : 0) |
                           (w->is_passing && runs(w->roots, words->thread) ? GP_HANDED_RUNNING : 0);
    add(w, words->kind | flags, words->thread, words->start, words->end);
}

static void add_stale(uint32_t block, void *context) {
    add(context, GP_HANDED_STALE, 0, block, 0);
}

static void add_table(uintptr_t start, uintptr_t end, void *context) {
    add(context, GP_HANDED_TABLE, 0, start, end);
}

static void write_rows(writing *w) {
    add(w, GP_HANDED_PROCESS, (uint32_t)gp_system(getpid, 0), 0, 0);
    for (uintptr_t i = 0; i < GP_REGION_COUNT; i++)
        if (gp_live_regions[i])
            add(w, GP_HANDED_BLOCKS, 0, i << GP_REGION_BITS, (uintptr_t)gp_live_regions[i]);
    gp_dispatch_cache_each(w->roots, add_stale, w);
    gp_runtime_tables_each(add_table, w);
    gp_roots_each_lasting(w->roots, add_words, w);
    w->is_passing = true;
    gp_roots_each_passing(w->roots, add_words, w);
    flush(w);
}

void gp_hand_over(const gp_roots *roots, const char *path, _Atomic uint32_t *progress) {
    static writing w;
    char unfinished[PATH_LONGEST];
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    w = (writing){.file = gp_system(openat, AT_FDCWD, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600),
                  .roots = roots};
    if (w.file < 0)
        return;
    write_rows(&w);
    gp_system(close, w.file);
    if (gp_system(faccessat, AT_FDCWD, path, 0) == 0 || gp_system(renameat, AT_FDCWD, unfinished, AT_FDCWD, path) < 0) {
        gp_system(unlinkat, AT_FDCWD, unfinished, 0);
        return;
    }
    const uint64_t end = gp_monotonic_of_kernel() + PATIENCE_NS;
    while (gp_system(faccessat, AT_FDCWD, path, 0) == 0 && gp_monotonic_of_kernel() < end) {
        atomic_fetch_add(progress, 1);
        gp_sleep(WAIT_MOST_NS);
    }
}
