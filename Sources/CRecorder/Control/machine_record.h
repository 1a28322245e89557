// What the recording is made on.
#pragma once

struct gp_thread;

// GP_ENVIRONMENT: what can be found out of the machine, its system and the versions of runtime and recorder.
void gp_machine_write(struct gp_thread *thread);
