// The names that threads gave themselves.
#pragma once

struct gp_thread;

// Writes the GP_THREAD_NAME of `named` into the chunk of `writing`.
void gp_thread_write_name(struct gp_thread *writing, const struct gp_thread *named);
