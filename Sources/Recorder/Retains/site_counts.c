#include "site_counts.h"

#include "stack_tree.h"
#include "trace_writer.h"

void gp_site_count_write(gp_thread *thread, void *entry) {
    gp_site_count *count = entry;
    if (!count->calls)
        return;
    gp_reference_counting record = {
        .header = {.kind = GP_REFERENCE_COUNTING, .flags = (uint8_t)(count->key.first >> GP_SITE_FLAGS_SHIFT)},
        .type = count->type,
        .stack = count->stack,
        .calls = count->calls,
        .changes = count->changes,
        .immortal = count->immortal,
    };
    gp_write_record(thread, &record, sizeof record, NULL, 0);
    count->calls = count->changes = count->immortal = 0;
}

void gp_site_counts_forget(gp_thread *thread, gp_site_counts *sites) {
    gp_table_each(thread, &sites->table, gp_site_count_write);
    gp_table_clear(&sites->table);
    sites->generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
}

gp_site_counts *gp_site_counts_make(gp_thread *thread) {
    gp_site_counts *sites = gp_table_of(thread, GP_INSTRUMENT_TIME, sizeof *sites, sizeof(gp_site_count));
    if (sites && !sites->random) {
        sites->generation = atomic_load_explicit(&gp_stack_generation, memory_order_acquire);
        sites->random = thread->id | 1;
    }
    return sites;
}

gp_site_count *gp_site_count_make(gp_thread *thread, gp_site_counts *sites, gp_table_key key) {
    gp_site_count *count;
    while (!(count = gp_table_make(&sites->table, key)))
        gp_site_counts_forget(thread, sites);
    count->until_sample = count->gap = 1;
    return count;
}
