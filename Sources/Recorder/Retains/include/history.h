// The history of reference counts: every retain and release of the objects of chosen classes, with stacks. The runtime's
// own functions are made to come here first, so that calls inside the Swift library and in a static one are seen too.
// Nothing is changed in a program whose history is not asked for.
#pragma once

#include "instrument.h"

// Its options: classes ("Board|Other.Card"). Hooks the runtime's functions when there are any; a runtime that cannot be
// hooked is said in a GP_NOTE.
extern const gp_instrument gp_retains_instrument;
