// What cgroups of both versions leave to a process, read from a folder that looks like theirs.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../Sources/Recorder/Leaks/freeze.h"
#include "Check.h"

static char root[] = "/tmp/memory-room-XXXXXX";

static void make_folder(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    mkdir(path, 0700);
}

static void put(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    CHECK(file);
    fputs(text, file);
    fclose(file);
}

static uint64_t room(const char *membership) {
    return gp_memory_room_of_cgroups(membership, root);
}

int main(void) {
    CHECK(mkdtemp(root));
    CHECK(room("0::/\n") == UINT64_MAX);
    CHECK(room("") == UINT64_MAX && room("nonsense") == UINT64_MAX && room("1:memory") == UINT64_MAX);
    make_folder("pod");
    make_folder("pod/one");
    put("pod/one/memory.max", "max\n");
    put("pod/one/memory.current", "400\n");
    put("pod/memory.max", "1000\n");
    put("pod/memory.current", "700\n");
    put("pod/memory.stat", "anon 1\ninactive_file 50\n");
    // The one above has the limit; what the kernel takes back counts as free.
    CHECK(room("0::/pod/one\n") == 350);
    put("pod/one/memory.max", "500\n");
    CHECK(room("0::/pod/one\n") == 100);
    put("pod/one/memory.current", "600\n");
    CHECK(room("0::/pod/one\n") == 0);
    // The path of the machine is not mounted in a container.
    CHECK(room("0::/pod/gone/deeper\n") == 350);
    make_folder("memory");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/memory.usage_in_bytes", "300\n");
    make_folder("memory/job");
    put("memory/job/memory.limit_in_bytes", "800\n");
    put("memory/job/memory.usage_in_bytes", "300\n");
    put("memory/job/memory.stat", "inactive_file 7\ntotal_inactive_file 20\n");
    CHECK(room("5:cpu:/job\n4:cpuset,memory:/job\n0::/\n") == 520);
    CHECK(room("5:cpu,memoryless:/job\n") == UINT64_MAX);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", root);
    CHECK(system(remove) == 0);
    puts("passed");
}
