// A recorder that waits without a thread, a file or a cost until gameprof attach asks for a recording (Control.h), and does so
// again when it is over.
#pragma once

// From now on it can be asked. When the C library is ready.
void gp_dormant_begin(void);

// In a child made by fork, which can be asked too.
void gp_dormant_begin_in_child(void);
