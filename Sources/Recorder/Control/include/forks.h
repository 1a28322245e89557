// Children that the program makes by fork: they are not recorded, and the report says so.
#pragma once

#include <stdbool.h>

// When the C library is ready.
void gp_forks_watch(void);

// A program is about to take this process's place, or (`begins` is false) could not.
void gp_forks_replace(bool begins);

struct gp_thread;

// Writes how many of them ran on as what they were.
void gp_forks_explain(struct gp_thread *thread);
