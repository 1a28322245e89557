// What was asked of the zombies instrument: GAMEPROF_ZOMBIES, a list of words divided by semicolons.
#ifndef GP_ZOMBIES_OPTIONS_H
#define GP_ZOMBIES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t quarantine_bytes;  // quarantine-bytes=N
    uint32_t quarantine_count;  // quarantine-count=N
    uint32_t sample;  // sample=N: one in N objects is guarded; 0: none
    bool guard_all;  // guard
    bool keep_going;  // keep-going
    char guarded_types[1024];  // guard=A|B: names with or without module; empty: none
} gp_zombie_options;

extern __attribute__((visibility("hidden"))) gp_zombie_options gp_zombie_asked;

void gp_zombie_options_read(const char *list);

// Whether a type's name ("Game.Board") is one of `names` ("Board|Other.Card").
bool gp_zombie_type_is_named(const char *type, const char *names);

#endif
