// The steps of an analysis between marking and the last record, a file each; analysis.c takes them.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "object_graph.h"
#include "root_paths.h"
#include "roots.h"

struct gp_thread;

// ----------------------------------------------------------------------------------------------- unaligned_references.c

// Addresses at odd places: packed structures (struct epoll_event is one) and bytes that a program encodes ([UInt8], Data)
// hold them where no word begins, some in the byte order of networks, some as two numbers of 32 bits, the upper one first;
// lock-free lists shift them to make room for a counter. A whole address in one of these forms is no accident. What holds
// less than an address (an offset from a base, the difference of two) is not seen.
//
// They are looked for only when something seems lost: every living byte is then read once more.

// Marks, and follows from, the unmarked blocks of which a root or a marked block names the beginning at an odd place.
// Reads 4 GiB at most.
void gp_unaligned_references_mark(const gp_roots *roots, gp_marker *marker);

// ---------------------------------------------------------------------------------------------------- untyped_holders.c

// What counts do not see: memory of C keeps a plain pointer to an object that keeps itself alive until its operation is done
// (`keepAlive = self` beside `passUnretained(self)`). The counts of such a component say that nobody outside owns it, and
// yet the program still uses it.
//
// A word of a stack or a register is no such holder, for it may be stale; nor is a pointer in memory that only the
// component itself leads to, for that is lost with it.

typedef struct {
    const gp_object_graph *graph;  // with its components
    const gp_roots *roots;
    gp_marker *marker;  // restarted with `proved`
    uint64_t *proved;  // by block: members of components proved by reference counts, less those found held by a pointer
    bool *proved_component;  // by component; likewise
    bool *by_pointer_component;  // by component: those taken out are added
} gp_untyped_holders;

// Marks from all roots, and takes out of the proved components those that a lasting pointer without a count names. False:
// no memory, marking is not complete.
bool gp_untyped_holders_mark(gp_untyped_holders *holders);

// -------------------------------------------------------------------------------------------------------- lost_sample.c

// Some of the lost blocks for all, where there are too many to list: whole losses, at least one for each type and stack
// that begins one. What is lost in all is written by type and stack, so that the report's counts are exact.

typedef struct {
    struct gp_thread *thread;
    const gp_block_index *index;
    const uint64_t *marked;  // blocks that are not lost
    _Atomic uint32_t *progress;
} gp_lost_blocks;

// Writes the GP_HEAP_LOST records and adds the sample to `listed`. A listed block that others own, which are not listed,
// is flagged GP_VERTEX_GUESSED. Needs about 50 bytes for each lost block. False: no memory.
bool gp_lost_sample(const gp_lost_blocks *lost, gp_object_graph *listed);

// ------------------------------------------------------------------------------------------------------ living_cycles.c

// Cycles of living objects, which the report evaluates: through a closure, a task, a timer, or no defect at all.

typedef struct {
    const uint64_t *marked, *running;  // by block; running: held by a running thread
    gp_object_graph *listed;
    uint64_t *members;  // by block: of listed cycles that run code, or are held by a pointer without a count
    uint64_t *held_by_pointer;  // by block: of listed cycles held by a pointer without a count
    uint32_t total;  // objects listed so far
    bool has_paths;  // a cycle was listed with what holds it
} gp_living_cycles;

// Adds the members of the graph's components to those that are listed, whole components only, 2,000 objects in all.
// `proved`: by component, those proven to be lost; `held_by_pointer`: those that only a pointer without a count names. NULL:
// none.
void gp_living_cycles_list(gp_living_cycles *cycles, const gp_object_graph *graph, const bool *proved,
                           const bool *held_by_pointer);

// Connects what living closure contexts and tasks lead to, as far as 100,000 blocks. Raw memory is part of it: a task that
// its object keeps and that works for it, a dispatch source whose handler captures the source's owner. False: no memory.
bool gp_living_cycles_find(gp_object_graph *graph, const gp_block_index *index, const uint64_t *marked);

// ---------------------------------------------------------------------------------------------------- closure_holders.c

// Whether objects that may be growth live through closures: then the graph of the heap says who made these.

// Looks at the nearest holders of the objects that `paths` has found for what may be growth. About 1 µs for each.
bool gp_closures_hold_growing(const gp_root_paths *paths);

// ----------------------------------------------------------------------------------------------------- write_findings.c

// Writing what the snapshot speaks of: objects and the references between them.

typedef struct {
    const gp_object_graph *graph;  // of the blocks to be listed, connected, with components
    const uint64_t *reachable;  // by block
    const uint64_t *proved;  // by block: proven by counting
    const uint64_t
        *held_by_pointer;  // by block: proved by reference counts, but a pointer without a count names it. NULL: none
    _Atomic uint32_t *progress;
} gp_findings;

// Writes GP_HEAP_OBJECT for every vertex, then GP_HEAP_EDGE for every reference between two of them. May call the Swift
// runtime for labels: nothing may be marked afterwards.
void gp_findings_write(struct gp_thread *thread, const gp_findings *findings);

// --------------------------------------------------------------------------------------------------------- heap_graph.c

// Writes the graph of all live blocks: what each is, and which blocks it refers to (GP_HEAP_NODES, GP_HEAP_LABEL,
// GP_HEAP_GRAPH_ROOT). Memory: 768 KiB and one bit a block; the graph itself is written as it is read.

typedef struct {
    const gp_block_index *index;
    const gp_roots *roots;
    const uint64_t *marked;  // by block: reachable
    _Atomic uint32_t *progress;
} gp_heap_graph;

// In the frozen child, after marking. False: no memory.
bool gp_heap_graph_write(struct gp_thread *thread, const gp_heap_graph *graph);
