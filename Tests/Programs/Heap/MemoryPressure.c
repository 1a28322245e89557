// When a memory warning is due, read from a folder that looks like the kernel's of cgroups.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../Sources/Recorder/Control/memory_pressure.h"
#include "Check.h"

static const uint64_t SECOND = 1000000000;
static char root[] = "/tmp/memory-pressure-XXXXXX";
static gp_memory_pressure pressure;
static uint64_t now;

static void put(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    CHECK(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    mkdir(path, 0700);
}

// Two seconds later.
static bool is_new(uint64_t resident) {
    now += 2 * SECOND;
    return gp_memory_pressure_is_new(&pressure, resident, now);
}

int main(void) {
    CHECK(mkdtemp(root));
    gp_memory_pressure_begin(&pressure, "nonsense\n5:memory:/job\n", root, now);
    CHECK(pressure.folder[0] == 0 && !is_new(1000));
    make_folder("pod");
    make_folder("pod/one");
    put("pod/memory.events.local", "low 0\nhigh 3\nmax 9\noom 0\n");
    put("pod/one/memory.events.local", "low 0\nhigh 7\nmax 0\n");
    put("pod/one/memory.pressure", "some avg10=1.00 avg60=0.00 avg300=0.00 total=5000000\nfull avg10=0 total=1\n");
    gp_memory_pressure_begin(&pressure, "4:cpuset,memory:/job\n0::/pod/one\n", root, now);
    CHECK(!is_new(0));
    put("pod/one/memory.events.local", "low 0\nhigh 8\nmax 0\n");
    CHECK(is_new(0) && !is_new(0));
    // A neighbour's is counted above, too.
    put("pod/memory.events", "low 0\nhigh 9\nmax 9\noom 0\n");
    CHECK(!is_new(0));
    // The limit of the one above holds the process back as well.
    put("pod/memory.events.local", "low 0\nhigh 4\nmax 9\noom 0\n");
    CHECK(is_new(0));
    // Within a second of the last one, and a tenth of the time at most.
    put("pod/one/memory.pressure", "some avg10=1.00 avg60=0.00 avg300=0.00 total=5500000\nfull avg10=0 total=1\n");
    now += SECOND / 2;
    CHECK(!gp_memory_pressure_is_new(&pressure, 0, now));
    put("pod/one/memory.pressure", "some avg10=1.00 avg60=0.00 avg300=0.00 total=5700000\nfull avg10=0 total=1\n");
    CHECK(!is_new(0));
    put("pod/one/memory.pressure", "some avg10=1.00 avg60=0.00 avg300=0.00 total=5900001\nfull avg10=0 total=1\n");
    CHECK(is_new(0));
    // In a container the path of the machine is not mounted.
    put("memory.events.local", "low 0\nhigh 1\n");
    gp_memory_pressure_begin(&pressure, "0::/gone/deeper\n", root, now);
    put("memory.events.local", "low 0\nhigh 2\n");
    CHECK(is_new(0));
    pressure.limit = 1000;
    CHECK(!is_new(999) && is_new(1000) && !is_new(5000) && !is_new(901) && !is_new(1000));
    CHECK(!is_new(899) && is_new(1000));
    // Limits: the least of those above, of both versions; the root of a container.
    put("pod/memory.max", "3000000\n");
    put("pod/one/memory.max", "max\n");
    put("pod/one/memory.high", "2000000\n");
    gp_memory_group_limits limits = gp_memory_group_limits_read("4:cpuset,memory:/job\n0::/pod/one\n", root);
    CHECK(limits.most == 3000000 && limits.high == 2000000);
    limits = gp_memory_group_limits_read("nonsense\n", root);
    CHECK(limits.most == 0 && limits.high == 0);
    make_folder("memory");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    limits = gp_memory_group_limits_read("4:cpuset,memory:/gone\n0::/\n", root);
    CHECK(limits.most == 0);
    make_folder("memory/job");
    put("memory/job/memory.limit_in_bytes", "5000000\n");
    limits = gp_memory_group_limits_read("4:cpuset,memory:/job\n0::/\n", root);
    CHECK(limits.most == 5000000 && limits.high == 0);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", root);
    CHECK(system(remove) == 0);
    puts("passed");
}
