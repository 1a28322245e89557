#include "count_rows.h"

#include <string.h>

#include "key_table.h"
#include "system.h"

// A verdict needs five repetitions, of which the first is warm-up: c.f. GrowthRule. At exit fewer blocks are no growth.
enum { ROWS = 1 << 16, CHOSEN_MOST = 64, MANY_MOST = 16, FEWEST_REPETITIONS = 5, FEWEST_RISES = 3, MANY = 48 };

typedef struct {
    uint64_t key;  // complement of type << 32 | stack, so that it is the address of nothing; 0: free
    uint32_t count;
    uint16_t rises;  // in a row, up to `seen`
    uint16_t seen;  // repetition
} seen_row;

typedef struct {
    uint64_t scenario;  // hash of its name
    uint32_t repetitions;
    seen_row rows[ROWS];
} series;

static series *shared;
static struct {
    bool is_repetition, at_exit;
    size_t count;
    gp_count_row chosen[CHOSEN_MOST];
    size_t many_count, large_count;
    gp_count_row many[MANY_MOST], large[MANY_MOST];
} here;

void gp_growth_prepare(void) {
    long made =
        gp_system_map(sizeof(series), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    shared = made < 0 && made > -4096 ? NULL : (series *)made;
}

// Of `game` in “game #3”.
static uint64_t hash_of_scenario(const char *name) {
    const char *number = strrchr(name, '#');
    size_t length = strlen(name);
    if (number && number - name > 1 && number[-1] == ' ' && strspn(number + 1, "0123456789") == strlen(number + 1))
        length = (size_t)(number - name - 1);
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3ull;
    return hash;
}

static bool is_own_name(const char *name) {
    return !*name || !strcmp(name, "interval") || !strcmp(name, "request") || !strcmp(name, "peak");
}

void gp_growth_begin(const char *name, bool at_exit) {
    here.at_exit = at_exit;
    here.is_repetition = shared && !at_exit && name && !is_own_name(name);
    if (!here.is_repetition)
        return;
    uint64_t scenario = hash_of_scenario(name);
    if (shared->scenario != scenario || shared->repetitions == UINT16_MAX) {
        memset(shared, 0, sizeof *shared);
        shared->scenario = scenario;
    }
    shared->repetitions++;
}

static bool rises_each_time(const seen_row *row) {
    uint32_t number = shared->repetitions;
    return number >= FEWEST_REPETITIONS && row->seen == number && row->rises >= FEWEST_RISES &&
           row->rises >= number - 2;
}

static void choose(gp_count_row row) {
    for (size_t i = 0; i < here.count; i++)
        if (here.chosen[i].type == row.type && here.chosen[i].stack == row.stack)
            return;
    if (here.count < CHOSEN_MOST)
        here.chosen[here.count++] = row;
}

static void keep_largest(gp_count_row *list, size_t *count, gp_count_row row, bool by_bytes) {
    size_t least = 0;
    if (*count < MANY_MOST) {
        list[(*count)++] = row;
        return;
    }
    for (size_t i = 1; i < MANY_MOST; i++)
        if (by_bytes ? list[i].bytes < list[least].bytes : list[i].count < list[least].count)
            least = i;
    if (by_bytes ? list[least].bytes < row.bytes : list[least].count < row.count)
        list[least] = row;
}

void gp_growth_take(gp_count_row row, bool is_class) {
    if (!row.stack)
        return;
    uint64_t key = ~((uint64_t)row.type << 32 | row.stack);
    seen_row *known = NULL;  // too many rows are not followed
    if (shared && shared->repetitions && here.is_repetition)
        known = gp_key_claim(GP_KEY_TABLE(shared->rows), key);
    else if (shared && shared->repetitions && here.at_exit)
        known = gp_key_find(GP_KEY_TABLE(shared->rows), key);
    if (known && here.is_repetition) {
        uint32_t before = known->seen + 1u == shared->repetitions ? known->count : 0;
        bool rises = shared->repetitions > 1 && row.count > before;
        *known = (seen_row){.key = key,
                            .count = row.count < UINT32_MAX ? (uint32_t)row.count : UINT32_MAX,
                            .rises = rises ? (uint16_t)((before ? known->rises : 0) + 1) : 0,
                            .seen = (uint16_t)shared->repetitions};
    }
    if (known && rises_each_time(known))
        choose(row);
    if (!here.at_exit || !is_class || row.count < MANY)
        return;
    keep_largest(here.many, &here.many_count, row, false);
    keep_largest(here.large, &here.large_count, row, true);
}

const gp_count_row *gp_growth_rows(size_t *count) {
    for (size_t i = 0; i < here.many_count; i++)
        choose(here.many[i]);
    for (size_t i = 0; i < here.large_count; i++)
        choose(here.large[i]);
    *count = here.count;
    return here.chosen;
}
