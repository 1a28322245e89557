#include "object_deaths.h"

gp_object_death *gp_object_death_observer;
