// Children that the program makes by fork: under --follow they are recorded, else the report says that they are not.
#pragma once

#include <stdbool.h>

// When the C library is ready.
void gp_forks_watch(void);

// A program is about to take this process's place, or (`begins` is false) could not.
void gp_forks_replace(bool begins);

struct gp_thread;

// Writes how many of them ran on as what they were and were not recorded.
void gp_forks_explain(struct gp_thread *thread);
