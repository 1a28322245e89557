#include "recording_state.h"

gp_recording_page gp_recording;
