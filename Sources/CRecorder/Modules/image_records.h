// Telling the trace which images there are.
#pragma once

#include "image_headers.h"

// Writes GP_IMAGE, with the path resolved as far as it can be without taking a lock.
void gp_image_write(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id);

// Writes GP_IMAGE_GONE.
void gp_image_write_gone(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id);
