// Compares gp_components with reachability computed by brute force, on random graphs and on a long ring.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../Sources/Recorder/Leaks/object_graph.h"

enum { MOST = 14, RING = 1000000 };

static uint64_t seed = 42;

static uint32_t random_below(uint32_t limit) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(seed >> 33) % limit;
}

static void fail(const char *reason) {
    printf("failed: %s\n", reason);
    exit(1);
}

static void compare_one(void) {
    uint32_t n = 1 + random_below(MOST), rows[MOST + 1], targets[MOST * 4], edges = 0;
    bool reach[MOST][MOST] = {0};
    for (uint32_t v = 0; v < n; v++) {
        rows[v] = edges;
        for (uint32_t k = random_below(3); k > 0; k--) {
            targets[edges] = random_below(n);
            reach[v][targets[edges++]] = true;
        }
    }
    rows[n] = edges;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                reach[i][j] |= reach[i][k] && reach[k][j];
    uint32_t component[MOST], work[5 * MOST];
    gp_components(&(gp_graph){n, rows, targets}, component, work);
    for (uint32_t i = 0; i < n; i++) {
        if ((component[i] != 0) != reach[i][i])
            fail("a vertex is on a cycle exactly when it has a component");
        for (uint32_t j = 0; j < n; j++)
            if (i != j && (component[i] && component[i] == component[j]) != (reach[i][j] && reach[j][i]))
                fail("two vertices share a component exactly when each reaches the other");
    }
}

static void walk_long_ring(void) {
    uint32_t *rows = malloc((RING + 1) * sizeof *rows), *targets = malloc(RING * sizeof *targets);
    uint32_t *component = malloc(RING * sizeof *component), *work = malloc(5ul * RING * sizeof *work);
    for (uint32_t v = 0; v < RING; v++) {
        rows[v] = v;
        targets[v] = (v + 1) % RING;
    }
    rows[RING] = RING;
    if (gp_components(&(gp_graph){RING, rows, targets}, component, work) != 1)
        fail("a ring is one component");
    targets[RING - 1] = RING - 1;
    if (gp_components(&(gp_graph){RING, rows, targets}, component, work) != 1 || component[0] || !component[RING - 1])
        fail("a chain that ends in an edge to itself has one component of one");
}

int main(void) {
    for (int i = 0; i < 20000; i++)
        compare_one();
    walk_long_ring();
    puts("passed");
    return 0;
}
