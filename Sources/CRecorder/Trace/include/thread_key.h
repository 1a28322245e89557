// The thread-specific key by which the end of a thread is noticed.
#pragma once

// Call once, when the C library is ready. Threads that recorded before are registered at their next event.
void gp_thread_make_key(void);
