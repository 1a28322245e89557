// Addresses at odd places: packed structures (struct epoll_event is one) hold them where no word begins. They are looked
// for only when memory seems lost, and only in what has no Swift type.
#ifndef GP_ODD_PLACES_H
#define GP_ODD_PLACES_H

#include "mark.h"
#include "roots.h"

// Marks, and follows from, the unmarked blocks of which a root or a marked block names the beginning at an odd place.
void gp_odd_places_mark(const gp_roots *roots, gp_marker *marker);

#endif
