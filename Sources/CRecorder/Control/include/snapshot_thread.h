// A thread of the recorder's own that takes heap snapshots while the program runs: every so often, when the tool
// asks for one, and when live bytes have grown by a quarter. It blocks every signal but the recorder's own, so that none of the program's ends up with it.
#pragma once

// `options`: of GAMEPROF_SNAPSHOTS, "every=MILLISECONDS;peak;requests=FIFO", each part may be missing; NULL: no thread is
// made. Every byte that arrives in the FIFO asks for a snapshot. When the C library is ready.
void gp_snapshot_thread_start(const char *options);

// From now on it takes none; waits until one that is being taken is done. Before the last snapshot.
void gp_snapshot_thread_stop(void);
