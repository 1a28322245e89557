// By this a program finds the preloaded recorder when it links one of its own.
#include "recorder.h"

#ifdef GP_PRELOADED
extern const gp_recorder gp_preloaded_recorder;
__attribute__((visibility("default"))) const gp_recorder gp_preloaded_recorder = GP_RECORDER_OF_THIS_COPY;
#else
typedef int gp_nothing_to_export;
#endif
