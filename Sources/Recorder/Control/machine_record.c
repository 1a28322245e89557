#include "program_record.h"

#include <string.h>
#include <sys/resource.h>

#include "arch.h"
#include "memory_pressure.h"
#include "proc_path.h"
#include "system.h"
#include "trace_writer.h"
#include "words.h"

enum { FACTS_BYTES = 1024, FILE_BYTES = 2048, CORES_MOST = 8192, KIB = 1024 };

typedef struct {
    char bytes[FACTS_BYTES];
    size_t used;
} facts;

// What does not fit, or is empty, is left out.
static void add(facts *facts, const char *name, gp_word value) {
    const size_t length = strlen(name);
    if (value.length == 0 || length + value.length + 2 > FACTS_BYTES - facts->used)
        return;
    char *place = facts->bytes + facts->used;
    memcpy(place, name, length + 1);
    memcpy(place + length + 1, value.text, value.length);
    place[length + 1 + value.length] = 0;
    facts->used += length + value.length + 2;
}

static void add_text(facts *facts, const char *name, const char *text) {
    add(facts, name, (gp_word){text, strlen(text)});
}

static void add_number(facts *facts, const char *name, uint64_t number) {
    char text[GP_NUMBER_ROOM];
    if (number > 0)
        add(facts, name, (gp_word){text, gp_number_write(text, number)});
}

// "0-3,8" names five cores.
static uint64_t cores_in(const char *list) {
    uint64_t count = 0;
    for (gp_word part; gp_word_next(&list, ",\n", &part);) {
        const char *rest = part.text;
        const uint64_t first = gp_number_take(&rest);
        const uint64_t last = *rest == '-' ? gp_number_at(rest + 1) : first;
        count += last >= first && last - first < CORES_MOST ? last - first + 1 : 0;
    }
    return count;
}

static uint64_t permitted_cores(void) {
    uint64_t mask[CORES_MOST / 64] = {0}, count = 0;
    if (gp_system(sched_getaffinity, 0, sizeof mask, mask) <= 0)
        return 0;
    for (size_t i = 0; i < sizeof mask / sizeof *mask; i++)
        count += (uint64_t)__builtin_popcountll(mask[i]);
    return count;
}

// PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
static void add_system(facts *facts) {
    char text[FILE_BYTES];
    if (!gp_read_text("/etc/os-release", text, FILE_BYTES) && !gp_read_text("/usr/lib/os-release", text, FILE_BYTES))
        return;
    const char *rest = text;
    for (gp_word line, value; gp_word_next(&rest, "\n", &line);) {
        if (!gp_word_value(line, "PRETTY_NAME", &value))
            continue;
        const bool is_quoted = value.length >= 2 && (value.text[0] == '"' || value.text[0] == '\'');
        add(facts, "system", is_quoted ? (gp_word){value.text + 1, value.length - 2} : value);
        return;
    }
}

static void add_memory(facts *facts) {
    char text[FILE_BYTES];
    gp_read_text("/proc/meminfo", text, FILE_BYTES);
    add_number(facts, "memory", gp_number_behind(text, "MemTotal:") * KIB);
}

static void add_kernel(facts *facts) {
    char text[FILE_BYTES];
    gp_read_text("/proc/sys/kernel/osrelease", text, FILE_BYTES);
    add(facts, "kernel", (gp_word){text, strcspn(text, "\n")});
}

// _SwiftStdlibVersion.current: 0x060300 is 6.3. It loads a constant. Absent before Swift 5.7, and where the library is
// linked into the program.
extern uint32_t swift_version(void) __asm__("$sSo19_SwiftStdlibVersionasE7currentABvgZ")
    __attribute__((weak, swiftcall));

static void add_swift(facts *facts) {
    if (!swift_version)
        return;
    const uint32_t version = swift_version();
    const uint32_t parts[] = {version >> 16, version >> 8 & 0xff, version & 0xff};
    char text[3 * GP_NUMBER_ROOM];
    size_t length = gp_number_write(text, parts[0]);
    for (size_t i = 1; i < 3; i++) {
        if (i == 2 && parts[i] == 0)
            break;
        text[length++] = '.';
        length += gp_number_write(text + length, parts[i]);
    }
    add(facts, "swift", (gp_word){text, length});
}

static void add_limit(facts *facts, const char *name, int resource) {
    struct rlimit limit;
    if (gp_system(prlimit64, 0, resource, NULL, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        add_number(facts, name, limit.rlim_cur);
}

// What limits the memory that the process may have. An absent one is none.
static void add_limits(facts *facts) {
    char text[FILE_BYTES];
    add_limit(facts, "limit.address-space", RLIMIT_AS);
    add_limit(facts, "limit.data", RLIMIT_DATA);
    gp_read_text("/proc/self/cgroup", text, FILE_BYTES);
    const gp_memory_group_limits limits = gp_memory_group_limits_read(text, "/sys/fs/cgroup");
    add_number(facts, "limit.group", limits.most);
    add_number(facts, "limit.group-high", limits.high);
    gp_read_text("/proc/sys/vm/overcommit_memory", text, FILE_BYTES);
    add(facts, "limit.overcommit", (gp_word){text, strcspn(text, "\n")});
}

static void write(struct gp_thread *thread, const facts *facts) {
    gp_record_header record = {.kind = GP_ENVIRONMENT};
    gp_write_record(thread, &record, sizeof record, facts->bytes, facts->used);
}

void gp_machine_write(struct gp_thread *thread) {
    facts facts = {.used = 0};
    char processor[GP_PROCESSOR_NAME_BYTES];
    gp_processor_name(processor);
    add_text(&facts, "processor", processor);
    add_text(&facts, "architecture", GP_ARCHITECTURE_NAME);
    char online[FILE_BYTES];
    add_number(&facts, "cores", permitted_cores());
    if (gp_read_text("/sys/devices/system/cpu/online", online, FILE_BYTES))
        add_number(&facts, "online", cores_in(online));
    add_memory(&facts);
    add_kernel(&facts);
    add_system(&facts);
    add_swift(&facts);
    add_text(&facts, "recorder", GP_RELEASE);
#ifdef GP_PRELOADED
    add_text(&facts, "loading", "preloaded");
#else
    add_text(&facts, "loading", "linked");
#endif
    add_limits(&facts);
    write(thread, &facts);
}

// "Shared_Dirty:        123 kB"
static uint64_t bytes_behind(const char *text, const char *name) {
    const char *const found = strstr(text, name);
    return found ? gp_number_at(found + strcspn(found, "0123456789\n")) * KIB : 0;
}

void gp_machine_write_sharing(struct gp_thread *thread) {
    facts facts = {.used = 0};
    char text[FILE_BYTES];
    if (!gp_read_text("/proc/self/smaps_rollup", text, FILE_BYTES))
        return;
    add_number(&facts, "fork.shared", bytes_behind(text, "Shared_Dirty:"));
    add_number(&facts, "fork.own", bytes_behind(text, "Private_Dirty:"));
    write(thread, &facts);
}
