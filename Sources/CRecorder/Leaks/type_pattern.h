// Whether a type is meant by a pattern as users write it: `Board` and `B*d` mean `Game.Board`, `Box` means every
// `Game.Box<…>`, `Box<Card>` means `Game.Box<Game.Card>`.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// `pattern`: `length` characters, in which `*` stands for any characters and `?` for one. `name`: as gp_type_name_of
// writes it.
bool gp_type_pattern_matches(const char *pattern, size_t length, const char *name);
