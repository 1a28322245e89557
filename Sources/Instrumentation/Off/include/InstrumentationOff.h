// The types of Instrumentation in a build that does not record. Types that come from C leave no metadata behind in a
// program that does not ask for it, so that nothing of Instrumentation is in a release.
#ifndef GP_INSTRUMENTATION_OFF_H
#define GP_INSTRUMENTATION_OFF_H

#include <stdbool.h>
#include <stdint.h>

struct gp_off_instrumentation {
    uint8_t nothing;
} __attribute__((swift_name("Instrumentation")));

struct gp_off_probe {
    uint8_t nothing;
} __attribute__((swift_name("Probe")));

struct gp_off_probe_name {
    uint8_t nothing;
} __attribute__((swift_name("Probe.Name")));

struct gp_off_probe_token {
    uint8_t nothing;
} __attribute__((swift_name("Probe.Token")));

struct gp_off_log_level {
    uint8_t nothing;
} __attribute__((swift_name("LogLevel")));

struct gp_off_log_destination {
    uint8_t nothing;
} __attribute__((swift_name("LogDestination")));

struct gp_off_finding {
    uint32_t line;
    bool isZombie;
} __attribute__((swift_name("Instrumentation.Finding")));

struct gp_off_memory_warning_handler {
    uint8_t nothing;
} __attribute__((swift_name("Instrumentation.MemoryWarningHandler")));

// An ObjectTree is an array of none: a conformance of its own to CustomStringConvertible would stay in a release.
struct gp_off_object_tree_node {
    uint32_t strong, unowned, weak;
    bool isCycle, isRepeated;
} __attribute__((swift_name("ObjectTreeNode")));

enum __attribute__((flag_enum, enum_extensibility(open), swift_name("Instrumentation.Instruments")))
gp_off_instruments : uint32_t {
    gp_off_allocations __attribute__((swift_name("allocations"))) = 1u << 0,
    gp_off_leaks __attribute__((swift_name("leaks"))) = 1u << 1,
    gp_off_zombies __attribute__((swift_name("zombies"))) = 1u << 2,
    gp_off_time __attribute__((swift_name("time"))) = 1u << 3,
    gp_off_heap __attribute__((swift_name("heap"))) = 1u << 4,
    gp_off_files __attribute__((swift_name("files"))) = 1u << 5,
};

static inline bool gp_off_probe_is_recording(void) __attribute__((swift_name("getter:Probe.isRecording()")));
static inline bool gp_off_probe_is_recording(void) {
    return false;
}

static inline bool gp_off_is_recording(void) __attribute__((swift_name("getter:Instrumentation.isRecording()")));
static inline bool gp_off_is_recording(void) {
    return false;
}

#endif
