// After dlclose the image's addresses may become another's.
#include "next.h"
#include "recording.h"
#include "images.h"

GP_EXPORT int dlclose(void *handle) {
    int result = GP_NEXT_OR(dlclose, __dlclose)(handle);
    if (gp_recording_runs())
        gp_images_changed();
    return result;
}
