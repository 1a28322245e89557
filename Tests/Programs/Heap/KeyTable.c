// Keys that several threads claim at once, and a table that has no room left.
#include <pthread.h>

#include "Check.h"
#include "key_table.h"

enum { THREADS = 4, KEYS = 3000 };

typedef struct {
    uint64_t key;
    _Atomic uint32_t claims, first_claims;
} entry;

static entry entries[1 << 12];

static void *claim_all(void *context) {
    for (uint64_t key = 1; key <= KEYS; key++) {
        bool is_new;
        entry *found = gp_key_entry(GP_KEY_TABLE(entries), key, true, &is_new);
        CHECK(found && found->key == key);
        found->claims++;
        found->first_claims += is_new;
    }
    return context;
}

static void claim_at_once(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, claim_all, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    size_t taken = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        taken += entries[i].key != 0;
        CHECK(entries[i].claims == (entries[i].key ? THREADS : 0));
        CHECK(entries[i].first_claims == (entries[i].key ? 1 : 0));
    }
    CHECK(taken == KEYS);
    for (uint64_t key = 1; key <= 2 * KEYS; key++)
        CHECK((gp_key_find(GP_KEY_TABLE(entries), key) != NULL) == (key <= KEYS));
}

static void fill(void) {
    static uint64_t small[64];
    uint64_t key = 1;
    while (gp_key_claim(GP_KEY_TABLE(small), key))
        key++;
    CHECK(key == 65);
    for (key = 1; key <= 64; key++)
        CHECK(gp_key_claim(GP_KEY_TABLE(small), key) == gp_key_find(GP_KEY_TABLE(small), key));
    CHECK(!gp_key_find(GP_KEY_TABLE(small), 65));
}

int main(void) {
    claim_at_once();
    fill();
    puts("passed");
}
