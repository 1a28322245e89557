// What the sampled blocks add up to while the program runs, by stack and type.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Figures.h"

// A block was sampled. The calling thread is busy, as it is in the next.
void gp_figures_count_made(size_t size);

// A sampled block is freed. At most 65,536 pairs of stack and type have their own sum; the others have one together.
void gp_figures_count_freed(uint32_t stack, uint32_t type, size_t size);

// As gp_figures_mean, gp_figures_made and gp_figures_collect.
uint64_t gp_sampled_figures_mean(void);
gp_sample_sum gp_sampled_figures_made(void);
bool gp_sampled_figures_collect(gp_figure_visitor visit, void *context);
