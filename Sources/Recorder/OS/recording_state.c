#include "recording_state.h"

gp_recording_page gp_recording;
bool gp_recording_is_dormant;
