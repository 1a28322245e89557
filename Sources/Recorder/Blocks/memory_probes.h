// The USDT probes otel_memory:alloc and otel_memory:free (opentelemetry-ebpf-profiler, design document 00003), whose notes
// and semaphores have the form that <sys/sdt.h> of SystemTap gives them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Counted up by whoever watches a probe, in the memory of this process.
extern __attribute__((visibility("hidden"))) volatile uint16_t otel_memory_alloc_semaphore, otel_memory_free_semaphore;

static inline bool gp_memory_alloc_is_watched(void) {
    return otel_memory_alloc_semaphore != 0;
}

static inline bool gp_memory_free_is_watched(void) {
    return otel_memory_free_semaphore != 0;
}

// A sampled block was allocated; `weighted`: the bytes that it stands for.
void gp_memory_alloc_probe(uint64_t address, uint64_t size, uint64_t weighted);

// A sampled block is about to be freed.
void gp_memory_free_probe(uint64_t address);
