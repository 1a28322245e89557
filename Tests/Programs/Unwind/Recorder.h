// The least of a recorder that the unwinder needs: memory, one state per thread, and a place for records.
#ifndef RECORDER_H
#define RECORDER_H

#include "TraceFormat.h"

// The GP_FRAME records by id.
extern gp_frame *recorded_frames;
extern _Atomic unsigned recorded_frame_count;
extern _Atomic unsigned recorded_image_count;
extern _Atomic unsigned recorded_gone_count;

#endif
