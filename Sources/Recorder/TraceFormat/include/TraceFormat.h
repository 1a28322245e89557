// The bytes of a .gptrace file. This header is the only declaration of them; Documentation/TraceFormat.md explains
// each field and keeps the version history. Little endian, no padding beyond what is written here.
//
// A trace is a file of blocks of GP_CHUNK_SIZE bytes. Block 0 begins with gp_file_header. Every other block is a
// chunk: a gp_chunk_header and then records. A block of zeros is a chunk that was never written (its thread died
// with it) and is skipped. A record is one or more cells of 16 bytes; the first byte of its first cell says which.
#pragma once

#include <stdint.h>
#include <string.h>

#define GP_TRACE_VERSION 1u
#define GP_OLDEST_READABLE_VERSION 1u
#define GP_RELEASE "0.1.0"  // of recorder and tool, which are released together
#define GP_TRACE_MAGIC "GPTRACE"  // 7 characters and a NUL
#define GP_CHUNK_MAGIC 0x4b435047u  // "GPCK"
#define GP_CHUNK_SIZE 65536u
#define GP_CELL_SIZE 16u

// ---------------------------------------------------------------------------------------------------- file header

enum {
    GP_FILE_COMPRESSED = 1u << 0,  // after block 0 come gp_packed_chunk headers, each with its zstd frame
    GP_FILE_FINISHED = 1u << 1,  // the file was closed; without it the recording was cut off
    GP_FILE_CUT = 1u << 2,  // it was closed by the tool, because the program ended before its recorder could
};

typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t header_size;  // sizeof(gp_file_header) of the writer: a reader skips what it does not know
    uint32_t chunk_size;  // GP_CHUNK_SIZE
    uint32_t flags;  // GP_FILE_*
    uint64_t start_unix_ns;  // wall clock when recording began
    uint64_t pid;
    uint64_t dropped_events;  // events that could not be stored (disk full, no memory)
} gp_file_header;

typedef struct {
    uint32_t magic;  // GP_CHUNK_MAGIC
    uint32_t used;  // bytes of the chunk that are valid, this header included; written after the record itself
    uint64_t sequence;  // the chunk's place in the file is sequence * GP_CHUNK_SIZE; the first is 1
    uint64_t start_ns;  // nanoseconds since recording began: the time of the records up to the first GP_TIME
    uint32_t thread;  // kernel thread id that the records up to the first GP_THREAD belong to
    uint32_t reserved;
} gp_chunk_header;

typedef struct {
    uint32_t packed_size;  // bytes of the zstd frame that follows
    uint32_t raw_size;  // GP_CHUNK_SIZE or less
} gp_packed_chunk;

// While the program runs, each thread fills a chunk in the file TRACE.spool, mapped shared so that a killed program
// loses nothing; a full chunk is copied to its own place in the trace. Block 0 of the spool begins with
// gp_spool_header, every other block is a chunk or unused (used == 0). A reader that finds a spool beside a trace copies each
// chunk of it to sequence * GP_CHUNK_SIZE in the trace: doing so twice, or for a chunk already there, changes nothing.
#define GP_SPOOL_MAGIC "GPSPOOL"

typedef struct {
    char magic[8];
    uint32_t version;  // GP_TRACE_VERSION
    uint32_t blocks;  // of the spool, block 0 included
    uint64_t next_sequence;  // atomically counted up by the thread that begins a chunk
    uint64_t dropped_events;
    uint32_t stopped;  // GP_STOPPED_*: why events were dropped
    uint32_t reserved;
} gp_spool_header;

enum {
    GP_STOPPED_NOT = 0,
    GP_STOPPED_BY_SIZE = 1,  // the trace has its maximum size
    GP_STOPPED_TOOL_GONE = 2,  // gameprof ended before the program
    GP_STOPPED_DISK_FULL = 3,
    GP_STOPPED_FILE_LIMIT = 4,  // RLIMIT_FSIZE
    GP_STOPPED_OTHERWISE = 5,  // another error of the file system, or no memory
};

// -------------------------------------------------------------------------------------------------------- records

// Kinds below 0x80 are one cell. From 0x80 on a record starts with gp_record_header, which says how many cells it has.
enum {
    GP_END = 0x00,  // nothing more in this chunk
    GP_ALLOC = 0x01,  // gp_alloc
    GP_FREE = 0x02,  // gp_free
    GP_TEMPORARY = 0x03,  // gp_free: a block that its thread freed before it allocated another; stands for both events
    GP_REPEAT = 0x04,  // gp_repeat: the GP_TEMPORARY before it happened that many more times
    GP_TIME = 0x05,  // gp_time: the time of what follows in this chunk
    GP_THREAD = 0x06,  // gp_thread_mark: the thread of what follows in this chunk
    GP_THREAD_END = 0x07,  // gp_thread_mark: the thread ended
    GP_FRAME = 0x08,  // gp_frame: a node of the stack tree
    GP_TYPE = 0x09,  // gp_type: a type id and its metadata address
    GP_RESIDENT = 0x0a,  // gp_resident: memory that the process has in the machine's memory

    GP_SAMPLE = 0x10,  // gp_sample: the thread was computing
    GP_WAIT = 0x11,  // gp_sample: the thread was waiting
    GP_LOCK_HOLDER = 0x12,  // gp_thread_mark: the thread that held what the GP_WAIT right behind it waited for
    GP_UNSCHEDULED = 0x13,  // gp_unscheduled: the thread waited for a processor, since the GP_UNSCHEDULED before
    GP_PROBE_BEGIN = 0x20,  // gp_probe: an interval begins
    GP_PROBE_END = 0x21,  // gp_probe: the innermost open interval of that name ends
    GP_PROBE_INTERVAL = 0x22,  // gp_probe: an interval during which its thread wrote nothing: begin and end in one
    GP_PROBE_START = 0x23,  // gp_probe: an interval begins that may end on another thread
    GP_PROBE_SPAN = 0x24,  // gp_probe: such an interval ended; ticks and length say when it began and how long it was
    GP_PROBE_LONG_SPAN = 0x25,  // gp_probe: the same when length does not hold it: the cell right behind is its END
    GP_PROBE_EVENT = 0x26,  // gp_probe: something happened
    GP_PROBE_COUNTER = 0x27,  // gp_probe: a counter has the value that the cell right behind this one says
    GP_PROBE_VALUE = 0x28,  // gp_probe_value
    GP_PROBE_FRAME = 0x29,  // gp_probe: a frame ends, the next begins; length: ticks without a processor

    GP_IMAGE = 0x80,  // gp_image + path
    GP_IMAGE_GONE = 0x81,  // gp_image without path: dlclose
    GP_TYPE_NAME = 0x82,  // gp_type_name + name
    GP_THREAD_NAME = 0x83,  // gp_thread_name + name
    GP_PROGRAM = 0x84,  // gp_program + NUL-separated strings: executable path, then the arguments (argv[0] first)
    GP_PROGRAM_EXIT = 0x85,  // gp_program_exit
    GP_LOSS = 0x86,  // gp_loss + sentence
    GP_NOTE = 0x87,  // gp_loss + sentence: something the reader of a report should know; value is not used
    GP_SYMBOL_TEXT = 0x88,  // gp_symbol_text + text: a symbol or a source file that GP_SYMBOL names
    GP_SYMBOL = 0x89,  // gp_symbol + gp_symbol_location…: what stands at an address
    GP_SYMBOL_SOURCE = 0x8a,  // gp_symbol_source + path: the symbols of an image are stored; where they come from
    GP_ENVIRONMENT = 0x8b,  // gp_record_header + name, NUL, value, NUL …: the machine and the versions that recorded
    GP_THREAD_STACK = 0x8c,  // gp_thread_stack_record: where a thread of a core file stood

    GP_HEAP_BEGIN = 0x90,  // gp_heap_begin: a heap snapshot; the heap records up to its GP_HEAP_END belong to it
    GP_HEAP_CENSUS = 0x91,  // gp_heap_census: live blocks of one type and one allocation stack
    GP_HEAP_OBJECT = 0x92,  // gp_heap_object: a block that the snapshot speaks of (unreachable or on a cycle)
    GP_HEAP_EDGE = 0x93,  // gp_heap_edge + label: a reference between two such blocks
    GP_HEAP_ROOT = 0x94,  // gp_heap_root + label: what keeps a reachable block of the snapshot alive
    GP_HEAP_TARGET = 0x95,  // gp_heap_target + label: objects whose way from a root was asked for
    GP_HEAP_LOST = 0x96,  // gp_heap_census: of the lost blocks alone, where only some of them are listed
    GP_HEAP_NODES = 0x97,  // gp_heap_nodes + packed blocks: a part of the graph of all live blocks
    GP_HEAP_LABEL = 0x98,  // gp_heap_label + label: how references of the graph are called
    GP_HEAP_GRAPH_ROOT = 0x99,  // gp_heap_root: as GP_HEAP_ROOT, of a block of the graph
    GP_LIVE_TYPE = 0x9a,  // gp_heap_census: live blocks where the recording ended without a snapshot; belongs to none
    GP_RESIDENT_MAP = 0x9b,  // gp_resident_map + path: a mapping with resident memory
    GP_RESIDENT_RANGE = 0x9c,  // gp_resident_range: a part of the mappings of which the recorder knows what it is
    GP_HEAP_PINNED = 0x9d,  // gp_heap_census: mostly free pages with blocks of one type and stack
    GP_HEAP_UNUSED = 0x9e,  // gp_heap_census: large collections of one type and stack with unused capacity
    GP_HEAP_END = 0x9f,  // gp_heap_end

    GP_ZOMBIE = 0xa0,  // gp_zombie + label: a deallocated block was used
    GP_ZOMBIE_SUMMARY = 0xa1,  // gp_zombie_summary: what the quarantine saw
    GP_COUNT_CHANGE = 0xa2,  // gp_count_change: a retain or release of an object whose history is kept

    GP_SAMPLING = 0xb0,  // gp_sampling + sentence: how samples are taken
    GP_THREAD_TIME = 0xb1,  // gp_thread_time: what a thread used in all
    GP_WORK = 0xb2,  // gp_work + name: what the samples behind it in its chunk were taken at
    GP_BLOCK_SAMPLING = 0xb3,  // gp_block_sampling: not every block is recorded
    GP_SAMPLED_LIVE = 0xb4,  // gp_sampled_live: a sampled block that lives when the recording ends
    GP_FAILED_ALLOC = 0xb5,  // gp_failed_alloc: an allocation that was made to fail, or how many there were before
    GP_LISTED_OBJECT = 0xb6,  // gp_listed_object: an object of a type whose objects are listed
    GP_FIRST_FREE = 0xb7,  // gp_first_free: where the first object that a stack allocated was freed
    GP_FORKED = 0xb8,  // gp_forked: the process was made by fork
    GP_REFERENCE_COUNTING = 0xb9,  // gp_reference_counting: retains or releases by one call, since the record before
    GP_PROBE_NAME = 0xc0,  // gp_probe_name + name
    GP_CLOCK = 0xc1,  // gp_clock: what the ticks of probes are in time
    GP_LOG = 0xc2,  // gp_log_line + file, NUL, message: a line of the program's debug log
    GP_MARK = 0xc3,  // gp_mark_record + name: a generation of allocations begins
    GP_GENERATION = 0xc4,  // gp_generation: blocks of one generation, type and stack that live in the snapshot
    GP_EXPECTATION = 0xc5,  // gp_expectation + file: an object was to be deallocated by now
    GP_CRASH = 0xc6,  // gp_crash + what the Swift runtime printed last: a fault or abort() is about to end the program
    GP_HEAP_IMAGE = 0xc7,  // gp_heap_image + bytes: what a search reads where nobody has searched the snapshot
    GP_TASKS = 0xc8,  // gp_tasks: the snapshot's tasks were looked for; each has a GP_TASK
    GP_TASK = 0xc9,  // gp_task + addresses + texts: a Swift task that has not ended, and what it waits for
    GP_HEAP_UNTOUCHED = 0xca,  // gp_heap_census: large blocks of one type and stack that are not wholly in memory

    GP_FILE_NAME = 0xd0,  // gp_file_name + name: a file, socket or pipe that the program used
    GP_FILE_USE = 0xd1,  // gp_file_use: calls of one kind on one file by one stack, since the GP_FILE_USE before
    GP_FILE_OPEN = 0xd2,  // gp_open_file: a descriptor that was open when the recording ended
};

typedef struct {
    uint8_t kind;
    uint8_t flags;
    uint16_t cells;  // of the whole record, this header included
    uint32_t size;  // bytes of the record that are meant (the rest of the last cell is zero), this header included
} gp_record_header;

// How a block was made; gp_alloc.how.
enum {
    GP_HOW_MALLOC = 0,
    GP_HOW_CALLOC = 1,
    GP_HOW_REALLOC = 2,  // a realloc is recorded as the free of the old block and the allocation of the new one
    GP_HOW_ALIGNED = 3,
};

typedef struct {
    uint8_t kind;  // GP_ALLOC
    uint8_t how;  // GP_HOW_*
    uint16_t size_high;  // bits 32…47 of the requested size
    uint32_t size;  // bits 0…31
    uint32_t stack;  // id of the innermost gp_frame; 0: no stack
    uint32_t address;  // bits 4…35 of the block's address, for those who read a dump
} gp_alloc;

typedef struct {
    uint8_t kind;  // GP_FREE or GP_TEMPORARY
    uint8_t how;  // GP_HOW_* of the allocation, in GP_TEMPORARY
    uint16_t size_high;
    uint32_t size;  // requested size of the block
    uint32_t stack;  // the stack that allocated it
    uint32_t type;  // id of a gp_type read from the block as it died; 0: not a Swift object
} gp_free;

typedef struct {
    uint8_t kind;  // GP_REPEAT
    uint8_t reserved[7];
    uint64_t count;
} gp_repeat;

typedef struct {
    uint8_t kind;  // GP_TIME
    uint8_t reserved[7];
    uint64_t ns;  // since recording began
} gp_time;

typedef struct {
    uint8_t kind;  // GP_THREAD, GP_THREAD_END
    uint8_t reserved[3];
    uint32_t thread;  // kernel thread id
    uint64_t reserved2;
} gp_thread_mark;

// A stack is the chain from its innermost frame to parent 0. Two stacks share the nodes that they have in common.
typedef struct {
    uint8_t kind;  // GP_FRAME
    uint8_t flags;  // GP_FRAME_*
    uint16_t pc_high;
    uint32_t pc_low;  // a return address: look up pc − 1, unless GP_FRAME_EXACT
    uint32_t id;  // 1, 2, 3 …
    uint32_t parent;  // the caller's node; 0: the outermost frame that could be read
} gp_frame;

enum {
    GP_FRAME_EXACT = 1u << 0,  // pc is the address itself, not a return address
    GP_FRAME_TRUNCATED = 1u << 1,  // frames between this one and its parent were left out: the stack is too deep
};

typedef struct {
    uint8_t kind;  // GP_TYPE
    uint8_t reserved;
    uint16_t metadata_high;
    uint32_t metadata_low;
    uint32_t id;  // 1, 2, 3 …
    uint32_t reserved2;
} gp_type;

// Before the first event of a block. A block of S bytes is sampled with p = 1 − e^(−S / mean) and stands for 1/p blocks
// and S/p bytes; GP_ALLOC, GP_FREE and GP_TEMPORARY are of sampled blocks alone, and GP_TEMPORARY counts what a thread
// freed before it allocated any other block.
typedef struct {
    gp_record_header header;  // flags: 1 when heap snapshots know all blocks
    uint64_t mean;  // bytes between two points of the process that samples
} gp_block_sampling;

typedef struct {
    gp_record_header header;
    uint32_t kind;  // GP_SEARCH_* of HeapSearch.h, whose meaning the others have
    uint32_t reserved;
    uint64_t first, second;
    // bytes: those of the message
} gp_heap_image;
_Static_assert(sizeof(gp_heap_image) == 32, "bytes of the file");

typedef struct {
    gp_record_header header;
    uint32_t type;  // id of a gp_type; 0: not a Swift object
    uint32_t stack;  // that allocated it
    uint64_t size;  // requested
} gp_sampled_live;

typedef struct {
    gp_record_header header;  // flags: 1 when it failed; else none came to fail
    uint64_t time_ns;
    uint64_t number;  // of the program's own allocations, from 1; where none failed, how many there were
    uint64_t size;  // requested
    uint32_t stack;
    uint32_t reserved;
} gp_failed_alloc;

// Before the first event. GP_ALLOC records of the blocks that lived follow it.
typedef struct {
    gp_record_header header;
    uint64_t parent;  // process id
    uint32_t
        last_stack;  // what was allocated before the fork has a stack up to this one, and what was after it a later one
    uint32_t reserved;
} gp_forked;

_Static_assert(sizeof(gp_forked) == 24, "bytes of the file");

typedef struct {
    gp_record_header header;
    uint32_t allocated;  // stacks
    uint32_t freed;
} gp_first_free;

_Static_assert(sizeof(gp_failed_alloc) == 40, "bytes of the file");
// Written when the object is freed, or when the recording ends.
typedef struct {
    gp_record_header header;
    uint64_t address;
    uint64_t size;  // requested
    uint32_t type;
    uint32_t stack;  // that allocated it
    uint64_t born_ns;  // since recording began
    uint64_t died_ns;  // 0: it lived when the recording ended
} gp_listed_object;

_Static_assert(sizeof(gp_listed_object) == 48, "bytes of the file");
_Static_assert(sizeof(gp_block_sampling) == 16 && sizeof(gp_sampled_live) == 24, "bytes of the file");

typedef struct {
    uint8_t kind;  // GP_UNSCHEDULED
    uint8_t reserved[3];
    uint32_t us;  // ready to run, without a processor
    uint64_t ns;  // since recording began
} gp_unscheduled;

typedef struct {
    uint8_t kind;  // GP_RESIDENT
    uint8_t reserved[3];
    uint32_t kib;  // resident memory, the recorder's included
    uint64_t ns;  // since recording began
} gp_resident;

_Static_assert(sizeof(gp_resident) == 16, "one cell");

// ---------------------------------------------------------------------------------------------------------- probes

typedef struct {
    uint8_t kind;  // GP_PROBE_*
    uint8_t name[3];  // number of the name: a GP_PROBE_NAME says it
    uint32_t length;  // ticks from beginning to end: GP_PROBE_INTERVAL, GP_PROBE_SPAN
    uint64_t ticks;  // of the clock that GP_CLOCK relates to time
} gp_probe;

typedef struct {
    uint8_t kind;  // GP_PROBE_VALUE
    uint8_t reserved[7];
    double value;
} gp_probe_value;

typedef struct {
    gp_record_header header;
    uint32_t id;  // 1, 2, 3 …
    uint32_t reserved;
    // name
} gp_probe_name;

enum {
    GP_CLOCK_TSC = 0,  // ticks of the processor's time stamp counter
    GP_CLOCK_MONOTONIC = 1,  // ticks are nanoseconds of CLOCK_MONOTONIC
};

// Between two of them ticks and time go in proportion.
typedef struct {
    gp_record_header header;  // flags: GP_CLOCK_*
    uint64_t ticks;
    uint64_t ns;  // since recording began
} gp_clock;

typedef struct {
    gp_record_header header;
    uint64_t time_ns;
    uint32_t thread;
    uint32_t line;
    // file, NUL, message
} gp_log_line;

typedef struct {
    gp_record_header header;
    uint64_t time_ns;
    uint32_t generation;  // of the blocks that are allocated from here on: 1, 2, 3 …; before the first mark 0
    uint32_t reserved;
    // name
} gp_mark_record;

typedef struct {
    gp_record_header header;
    uint32_t generation;
    uint32_t type;  // id of a gp_type; 0: not a Swift object
    uint32_t stack;
    uint32_t reserved;
    uint64_t count;
    uint64_t bytes;  // requested sizes
} gp_generation;

typedef struct {
    gp_record_header header;  // flags: 1 when the object was still alive
    uint64_t object;
    uint64_t time_ns;  // when it was expected
    uint32_t type;  // id of a gp_type
    uint32_t stack;  // that allocated it
    uint32_t index;  // of the gp_heap_object of the snapshot that found it alive; 0: not listed
    uint32_t line;
    // file
} gp_expectation;

_Static_assert(sizeof(gp_probe) == 16 && sizeof(gp_probe_value) == 16, "one cell");
_Static_assert(sizeof(gp_clock) == 24 && sizeof(gp_log_line) == 24 && sizeof(gp_mark_record) == 24,
               "bytes of the file");
_Static_assert(sizeof(gp_generation) == 40 && sizeof(gp_expectation) == 40, "bytes of the file");

// ---------------------------------------------------------------------------------------------------- tables, program

typedef struct {
    gp_record_header header;
    uint64_t bias;  // add it to an address of the file to get the address in the process
    uint64_t start;  // first mapped address
    uint64_t end;  // one past the last
    uint64_t text_start;  // first executable address
    uint64_t text_end;
    uint8_t build_id_size;  // 0: none
    uint8_t build_id[31];
    // path: UTF-8 bytes up to header.size
} gp_image;

enum {
    GP_TYPE_CLASS = 0,  // a class instance (ManagedBuffer, storage classes and actors too)
    GP_TYPE_LOCAL = 1,  // kind 0x400: closure context, captured variable, enum payload or existential box
    GP_TYPE_GENERIC_BOX = 2,  // kind 0x500
    GP_TYPE_ERROR = 3,  // kind 0x501
    GP_TYPE_TASK = 4,  // kind 0x502
    GP_TYPE_JOB = 5,  // kind 0x503
};

typedef struct {
    gp_record_header header;  // flags: GP_TYPE_*
    uint64_t metadata;
    uint64_t descriptor;  // context descriptor (class), capture descriptor (0x400); 0: none
    uint64_t
        destroy;  // of a class its superclass's metadata, else the destroyer's address (its symbol names the function); 0: none
    // name: UTF-8, with module, as Swift prints it ("Game.Box<Game.Card>"); empty when it has none
} gp_type_name;

typedef struct {
    gp_record_header header;
    uint32_t thread;
    uint32_t reserved;
    // name
} gp_thread_name;

// The tool writes it, the thread that the signal ended first.
typedef struct {
    gp_record_header header;
    uint32_t thread;
    uint32_t stack;
} gp_thread_stack_record;

// The tool writes these three, after the recording. They replace what image files say of addresses.
typedef struct {
    gp_record_header header;
    uint32_t id;  // 1, 2, 3 …
    uint32_t reserved;
    // text: a symbol as the linker knows it, or the path of a source file
} gp_symbol_text;

typedef struct {
    gp_record_header header;  // flags: SymbolRecord.Kind
    uint64_t address;  // in the process, as it is looked up: of a return address pc − 1
    uint64_t start;  // where a function without a symbol begins, an address of the file; 0: not known
    // gp_symbol_location up to header.size: inlined functions first, then the one that holds them
} gp_symbol;

typedef struct {
    uint32_t symbol;  // id of a gp_symbol_text
    uint32_t file;  // id of a gp_symbol_text; 0: not known
    uint32_t line;  // from 1; 0: not known
} gp_symbol_location;

typedef struct {
    gp_record_header header;  // flags: SymbolSourceRecord.Detail
    uint64_t start;  // of the gp_image
    uint8_t build_id_size;  // of the gp_image; 0: none
    uint8_t build_id[31];
    // path of the file that was read
} gp_symbol_source;

_Static_assert(sizeof(gp_symbol_text) == 16 && sizeof(gp_symbol) == 24 && sizeof(gp_symbol_location) == 12 &&
                   sizeof(gp_symbol_source) == 48,
               "bytes of the file");

// A program that may use fewer bytes of memory (RLIMIT_AS, RLIMIT_DATA) is not recorded: the recorder's tables have up to 100 MB at its
// start. Why not, as the end of a sentence.
enum { GP_LEAST_MEMORY = 256 << 20 };
#define GP_SHORT_OF_MEMORY                                                                                             \
    "may use less than 256 MB of memory (ulimit -d, ulimit -v), of which the recorder would take too much"

// What can be recorded. Each has a name on the command line and in reports, the number of its bit in gp_program, and the
// instruments that are recorded whenever it is.
#define GP_EACH_INSTRUMENT(_)                                                                                          \
    _(ALLOCATIONS, allocations, 0, 0)                                                                                  \
    _(LEAKS, leaks, 1, 0)                                                                                              \
    _(ZOMBIES, zombies, 2, 0)                                                                                          \
    _(TIME, time, 3, 0)                                                                                                \
    _(HEAP, heap, 4, GP_INSTRUMENT_ALLOCATIONS | GP_INSTRUMENT_LEAKS) /* snapshots: the graph of all live blocks */    \
    _(FILES, files, 5, 0)

#define GP_INSTRUMENT_BIT_OF(NAME, name, number, with) GP_INSTRUMENT_##NAME = 1u << (number),
enum { GP_EACH_INSTRUMENT(GP_INSTRUMENT_BIT_OF) };
#undef GP_INSTRUMENT_BIT_OF

// The bit of the instrument with that name; 0: there is none.
static inline uint32_t gp_instrument_bit(const char *name) {
#define GP_INSTRUMENT_NAMED(NAME, word, number, with)                                                                  \
    if (strcmp(name, #word) == 0)                                                                                      \
        return GP_INSTRUMENT_##NAME;
    GP_EACH_INSTRUMENT(GP_INSTRUMENT_NAMED)
#undef GP_INSTRUMENT_NAMED
    return 0;
}

typedef struct {
    gp_record_header header;  // flags: 1: it ran before, and what it allocated then is not known
    uint32_t pid;
    uint32_t parent;  // process id when the recording began; 0: not known
    uint32_t instruments;  // GP_INSTRUMENT_*
    uint32_t linked;  // 1: the recorder was linked into the program, 0: preloaded
    // strings
} gp_program;

typedef struct {
    gp_record_header header;  // flags: 1 when a signal ended it
    int32_t status;  // exit code, or signal number
    uint32_t memory_kills;  // processes of its memory group that the kernel ended meanwhile, because memory ran out
    uint64_t wall_ns;  // of the program; the recorder's search at exit is no part of it
} gp_program_exit;

typedef struct {
    gp_record_header header;  // flags: 1: the thread's stack had no room left
    uint32_t signal;  // SIGABRT for abort()
    uint32_t thread;
    uint32_t stack;
    uint32_t has_address;  // 1: the kernel raised it, and `address` is that of the access or of the instruction
    uint64_t address;
    uint64_t time_ns;
    uint64_t calls;  // on a stack that had no room left; 0: not counted
    // message
} gp_crash;

typedef struct {
    gp_record_header header;
    uint64_t events;  // how many were lost
    // sentence
} gp_loss;

// ---------------------------------------------------------------------------------------------------- heap snapshot

enum {
    GP_HEAP_AT_EXIT = 0,
    GP_HEAP_ON_REQUEST = 1,
    GP_HEAP_AT_PEAK = 2,  // live bytes had never been so high; the last one with a result is nearest to the peak
};

typedef struct {
    gp_record_header header;  // flags: GP_HEAP_AT_EXIT, GP_HEAP_ON_REQUEST, GP_HEAP_AT_PEAK
    uint32_t snapshot;  // 1, 2, 3 …
    uint32_t threads;  // threads that were stopped and scanned, the asking one included
    uint32_t threads_missed;  // threads that did not stop in time: no conclusion may be drawn when it is not 0
    uint32_t stack;  // of the asking thread: at exit the functions that have not returned
    uint64_t time_ns;
    uint64_t pause_ns;  // how long the program stood still
    uint32_t exited_main_stack;  // that the main thread left by pthread_exit, as dispatchMain() does; 0: it has not
    uint32_t reserved;
    // label: the caller's name for it
} gp_heap_begin;

typedef struct {
    gp_record_header header;
    uint32_t type;  // id of a gp_type; 0: not a Swift object
    uint32_t stack;
    uint64_t count;  // blocks; GP_HEAP_PINNED: pages
    // Requested sizes. GP_HEAP_PINNED: free bytes in these pages; GP_HEAP_UNUSED: resident, without elements; GP_HEAP_UNTOUCHED: not
    // resident.
    uint64_t bytes;
} gp_heap_census;

typedef struct {
    gp_record_header header;
    uint32_t index;  // 1, 2, 3 … within the snapshot
    uint32_t flags;  // HeapObject.Flags
    uint64_t address;
    uint64_t size;  // requested size
    uint32_t type;  // id of a gp_type; 0: raw memory
    uint32_t stack;  // that allocated it
    uint32_t strong;  // strong reference count (0 of what has none)
    uint32_t unowned;
    uint32_t weak;
    uint32_t component;  // strongly connected component of the snapshot's strong edges, 1 …; 0: on no cycle
} gp_heap_object;

// Between the key and the path in the label of a dictionary's value: the unit separator, which no path contains.
#define GP_KEY_END "\x1f"

// Between the path of a reference and the structure that declares the last property on it: the record separator.
#define GP_OWNER_BEGIN "\x1e"

// Label of a word of raw memory in the graph of all blocks: the words of a DispatchWorkItem that was cancelled and has not run.
#define GP_LABEL_CANCELLED "cancelled DispatchWorkItem"

// gp_heap_edge.flags.
enum {
    // `weak` does not compile for what holds the reference: a property of a generic parameter's type, an existential that
    // is not bound to classes, the payload of an enum's case, an element of a tuple.
    GP_EDGE_NOT_WEAK = 1 << 0,
    GP_EDGE_CONSTANT = 1 << 1,  // a property declared with `let`
    // How the first property on the path is declared, and how the last one is: HeapReference.Form, three bits each.
    GP_EDGE_FORM = 1 << 2,
    GP_EDGE_LAST_FORM = 1 << 5,
    GP_EDGE_LAST_CONSTANT = 1 << 8,  // the last property on the path is declared with `let`
    // An existential holds it that is not bound to classes, although its value is an instance of one.
    GP_EDGE_CLASS_IN_EXISTENTIAL = 1 << 9,
};

typedef struct {
    gp_record_header header;
    uint32_t from;  // index of a gp_heap_object
    uint32_t to;
    uint32_t offset;  // of the word in the block
    uint32_t position;
    uint64_t function;  // the closure's code when the reference is the context of a closure, else 0
    uint8_t ownership;  // Ownership
    uint8_t label_kind;  // HeapReference.Kind
    uint16_t flags;  // GP_EDGE_*
    uint32_t declared_type;  // id of the gp_type that declares the field when it is inherited; 0: the object's own
    // label
} gp_heap_edge;

enum {
    GP_ROOT_GLOBAL = 0,  // address: of the word in an image's data
    GP_ROOT_STACK = 1,  // address: of the word; thread
    GP_ROOT_REGISTER = 2,  // address: register number; thread
    GP_ROOT_THREAD_LOCAL = 3,
    GP_ROOT_RUNTIME = 4,  // a block of the dynamic linker or of the recorder's own list of what is never a leak
    GP_ROOT_MAPPED = 5,  // memory that the program or a library mapped for itself; address: of the word
    GP_ROOT_KERNEL = 6,  // what an epoll set or a timer hands back
};

typedef struct {
    gp_record_header header;
    uint32_t object;  // index of a gp_heap_object that the root names directly
    uint8_t root_kind;
    uint8_t reserved[3];
    uint64_t address;
    uint64_t pc;  // GP_ROOT_STACK: return address in the frame that owns the word; 0: not known
    uint32_t thread;
    uint32_t reserved2;
    // label
} gp_heap_root;

// The graph of all live blocks, where it was asked for. Blocks are numbered 1, 2, 3 … in ascending order of address.
// Behind gp_heap_nodes stand `rows` rows of LEB128 numbers, without padding. A row is
//   HeapNodeRow.Flags | edges << GP_NODE_BITS; without `more` then the distance to the block before in units of 16 bytes (0
//   for the record's first block), requested size, id of the gp_type or 0, id of the stack, with `swift` its strong
//   reference count; then for each edge the target's number minus the block's own, zigzag, and id of a
//   gp_heap_label << 3 | Ownership.
typedef struct {
    gp_record_header header;
    uint32_t first;  // number of the first block that begins in the record
    uint32_t rows;
    uint64_t address;  // of that block
} gp_heap_nodes;

#define GP_NODE_BITS 4

typedef struct {
    gp_record_header header;
    uint32_t label;  // 1, 2, 3 …
    uint8_t label_kind;  // HeapReference.Kind
    uint8_t reserved[3];
    uint64_t function;  // as in gp_heap_edge
    uint32_t declared_type;
    uint32_t reserved2;
    // label: path, without numbers of elements and keys
} gp_heap_label;

typedef struct {
    gp_record_header header;  // flags: 1 when there are tasks and they are not listed, because the heap is large
    uint64_t ended;  // tasks that have ended, and whose memory something still holds
} gp_tasks;

// gp_task.status.
enum {
    GP_TASK_UNKNOWN = 0,
    GP_TASK_RUNS = 1,  // other: thread; 0: not known
    GP_TASK_READY = 2,
    GP_TASK_EXECUTOR =
        3,  // address: of the executor in whose queue it is; type: the executor's; other: 1 if that is no actor
    GP_TASK_TASK = 4,  // other: the task that has to end; 0: not listed
    GP_TASK_GROUP = 5,  // other: children of the group that have not ended
    GP_TASK_CONTINUATION = 6,  // holder
};

// gp_task.holder: who can resume the continuation.
enum {
    GP_TASK_HOLDER_UNKNOWN = 0,
    GP_TASK_HOLDER_NOBODY = 1,
    GP_TASK_HOLDER_PROPERTY = 2,  // type, property
    GP_TASK_HOLDER_VARIABLE = 3,  // address
};

// gp_task.header.flags.
enum {
    GP_TASK_CANCELLED = 1 << 0,
    GP_TASK_ASYNC_LET = 1 << 1,
    GP_TASK_CUT_SHORT = 1 << 2,  // there are more callers
    GP_TASK_NEVER_RESUMES = 1 << 3,
    GP_TASK_NAMED = 1 << 4,
    GP_TASK_SURE = 1 << 5,  // the variable holds the continuation, and not the task
    GP_TASK_PLACED = 1 << 6,  // three more numbers follow the addresses
};

typedef struct {
    gp_record_header header;
    uint64_t id;  // the runtime's
    uint64_t address;
    uint64_t finished;  // children in its groups that have ended and whose results nobody has taken
    uint64_t kept;  // bytes of blocks that nothing but this task keeps, its own memory among them
    uint32_t finished_stack;  // that made the most of them
    uint32_t stack;  // that made it
    uint32_t parent;  // whose child it is; tasks are numbered 1, 2, 3 … within the snapshot
    uint32_t other;
    uint8_t status;  // GP_TASK_UNKNOWN …
    uint8_t holder;  // GP_TASK_HOLDER_*
    uint16_t resume;  // addresses at which it and its awaiting callers go on, innermost first
    uint16_t begin;  // addresses of the code with which it began
    uint8_t priority;  // TaskPriority; 0: not given
    uint8_t reserved;
    // addresses (8 each): resume, begin; if placed, of the block that it lies in, of that which names it as a continuation (0: none
    // is known), and the number of the task that runs on the executor (0: not known); then name, type and property, each ended by
    // a NUL
} gp_task;
_Static_assert(sizeof(gp_tasks) == 16 && sizeof(gp_task) == 64, "bytes of the file");

// Why a gp_heap_target was asked for.
enum {
    GP_TARGET_TYPE = 0,  // label: the pattern that its type matches
    GP_TARGET_ADDRESS = 1,  // the program named the object; label: what it called it
    GP_TARGET_GROWTH = 2,  // blocks of the object's type and stack may be growth; no label
    GP_TARGET_ESCAPED = 3,  // the runtime ended the program because the object escaped from its deinit; no label
    GP_TARGET_DEAD = 4,  // the program ends by a use of the deallocated object; no label
};

// An answer to the question why objects live. With `object`: `count` living objects are held by the same types as this
// one, which stands in the snapshot with its way from a root. Without: all living objects of `type`. Without both:
// nothing living answers to the label.
typedef struct {
    gp_record_header header;  // flags: GP_TARGET_*
    uint32_t object;  // index of a gp_heap_object, or 0
    uint32_t type;  // id of a gp_type, or 0
    uint64_t count;
    uint64_t bytes;  // requested sizes of those objects alone
    // label
} gp_heap_target;

enum {
    GP_HEAP_CUT_SHORT = 1u << 0,  // there is no result
    // Memory of the process could not be read. With GP_HEAP_CUT_SHORT for readers that do not know it.
    GP_HEAP_UNREAD = 1u << 1,
};

typedef struct {
    gp_record_header header;  // flags: GP_HEAP_CUT_SHORT, GP_HEAP_UNREAD; the label says why, or what
    uint32_t snapshot;
    uint32_t reserved;
    uint64_t blocks;  // live when the heap was frozen
    uint64_t bytes;
    uint64_t swift_objects;
    uint64_t unreachable_blocks;
    uint64_t unreachable_bytes;
    uint64_t listed_objects;  // gp_heap_object records; fewer than unreachable_blocks when the list was cut
    uint64_t analysis_ns;
    // label
} gp_heap_end;

// What the kernel counts, a little after the heap was frozen.
enum {
    GP_RESIDENT_FILE = 1u << 0,  // the mapping has an inode
    GP_RESIDENT_WRITABLE = 1u << 1,
    GP_RESIDENT_SHARED = 1u << 2,
};

typedef struct {
    gp_record_header header;  // flags: GP_RESIDENT_*
    uint64_t start, end;
    uint64_t resident, dirty;  // bytes: Rss, and Shared_Dirty + Private_Dirty
    // path as /proc/PID/maps writes it; none: anonymous memory. "[rollup]": no mapping, but the kernel's sum of all, from 0 to how
    // many bytes all mappings have
} gp_resident_map;

enum {
    GP_RANGE_ARENA = 0,  // a heap of one of malloc's arenas
    GP_RANGE_BLOCK = 1,  // a block that malloc mapped by itself
    GP_RANGE_STACK = 2,  // of `thread`
    GP_RANGE_ENDED_STACK = 3,  // that the C library keeps for the next thread
    GP_RANGE_RECORDER = 4,
    GP_RANGE_MAPPED = 5,  // memory that `stack` mapped, as far as it is no other range
    GP_RANGE_UNJOINED_STACK = 6,  // of an ended thread that `stack` made and nobody has joined or detached
    GP_RANGE_ALLOCATOR = 7,  // mapped by another malloc than glibc's; no record
    GP_RANGE_KINDS = 15,
    // What refers to mapped memory, or has the handle of a thread that nobody has joined.
    GP_RANGE_UNREFERRED = 1 << 4,  // nothing
    GP_RANGE_PASSING = 2 << 4,  // words of stacks and registers
    GP_RANGE_REFERRED = 3 << 4,
};

// Ranges of a snapshot do not overlap, but for GP_RANGE_MAPPED. All sizes are bytes that are in the machine's memory.
typedef struct {
    gp_record_header header;  // flags: GP_RANGE_*
    uint32_t thread;
    uint32_t stack;  // that mapped it, or made the thread
    uint64_t start, end;
    uint64_t resident;
    uint64_t arena;  // address of the arena; 0: the main one
    // Of GP_RANGE_ARENA and GP_RANGE_BLOCK; the rest of `resident` is the allocator's own.
    uint64_t live;  // blocks with their headers and padding
    uint64_t binned;  // free chunks in bins
    uint64_t trimmable;  // of these, whole pages
    uint64_t top;  // the free end of the heap
    uint64_t cached;  // free chunks in thread caches and fast bins
} gp_resident_range;

// ---------------------------------------------------------------------------------------------------------- zombies

// How the use of a dead block was noticed; gp_zombie.access.
enum {
    GP_ACCESS_METADATA = 0,  // its first word was followed: `offset` in the metadata, `member` what stands there
    GP_ACCESS_COUNT = 1,  // its reference count was used: the stack's innermost functions show how
    GP_ACCESS_FOLLOWED = 2,  // a word at `offset` of the block was taken for an address and followed
    GP_ACCESS_READ = 3,  // guarded block: `offset` was read
    GP_ACCESS_WRITE = 4,  // guarded block: `offset` was written
    GP_ACCESS_FREE = 5,  // it was freed again
    GP_ACCESS_RESIZE = 6,  // it was given to realloc
    GP_ACCESS_WRITTEN = 7,  // when the block left the quarantine `offset` had been written: no stack of the use
    GP_ACCESS_UNOWNED = 8,  // an unowned reference to it was loaded; the runtime ended the program
};

enum {
    GP_ZOMBIE_GUARDED = 1u << 0,  // the block had pages of its own
    GP_ZOMBIE_PINNED = 1u << 1,  // deinit ran, unowned references kept the memory
    GP_ZOMBIE_CONTINUED = 1u << 2,  // the program was made to go on
    GP_ZOMBIE_NO_DEATH = 1u << 3,  // where it died is not known
};

typedef struct {
    gp_record_header header;  // flags: GP_ZOMBIE_*
    uint64_t object;  // address of the block
    uint64_t size;  // requested size
    uint32_t type;  // id of a gp_type; 0: not a Swift object
    uint32_t allocated;  // stacks: ids of gp_frame, 0: not known
    uint32_t deallocated;
    uint32_t used;
    uint32_t deallocating_thread;
    uint32_t using_thread;
    uint64_t deallocated_ns;
    uint64_t used_ns;
    uint64_t fault;  // address that was touched, 0: none
    uint64_t pc;  // of the instruction that touched it, 0: none
    uint64_t member;  // GP_ACCESS_METADATA: the word of the metadata at `offset` (a method's code), 0: none
    uint32_t offset;
    uint8_t access;  // GP_ACCESS_*
    uint8_t reserved[3];
    // label: name of the stored property at `offset`
} gp_zombie;

enum {
    GP_ZOMBIES_CHOSEN = 1u << 0,  // the first objects of each class and stack, and samples, had pages of their own
    GP_ZOMBIES_SAMPLED = 1u << 1,  // beside a sampled heap: there was no quarantine, some sampled blocks had pages
};

typedef struct {
    gp_record_header header;  // flags: GP_ZOMBIES_*
    uint64_t quarantined;  // blocks that went into the quarantine
    uint64_t evicted;  // of those, blocks whose memory was given back because of a limit
    uint64_t evicted_bytes;
    uint64_t kept;  // still in the quarantine
    uint64_t kept_bytes;
    uint64_t passed_by;  // blocks freed at once: larger than the quarantine takes
    uint64_t guarded;  // blocks that had pages of their own
    uint64_t guards_missed;  // blocks that should have had, but the limits did not allow it
    uint64_t byte_limit;
    uint64_t count_limit;
    uint64_t unowned_kept;  // objects that unowned references kept after their deinit; absent in older traces
} gp_zombie_summary;

enum {
    GP_COUNT_RETAIN = 0,
    GP_COUNT_RELEASE = 1,
    GP_COUNT_BORN = 2,
    GP_COUNT_DIED = 3,
};

typedef struct {
    gp_record_header header;  // flags: GP_COUNT_*
    uint64_t object;
    uint32_t type;
    uint32_t stack;
    uint32_t thread;
    uint32_t reserved;
    uint64_t time_ns;  // of the first
    uint32_t strong;  // strong count after the last
    uint32_t times;  // how many equal changes these are: one call made them all, or equal calls one after another
} gp_count_change;

// ------------------------------------------------------------------------------------------------------------- time

// The stack of a thread at a moment. Its innermost frame is GP_FRAME_EXACT: the instruction that was interrupted.
typedef struct {
    uint8_t kind;  // GP_SAMPLE, GP_WAIT
    uint8_t flags;  // GP_SAMPLE_*
    uint16_t weight;  // periods that it stands for (gp_sampling)
    uint32_t stack;  // 0: it could not be read
    uint64_t ns;  // since recording began
} gp_sample;

enum {
    GP_SAMPLE_IO = 1u << 0,  // GP_WAIT: not interruptible, usually waiting for a disk
};

enum {
    GP_WORK_UNKNOWN = 0,
    GP_WORK_QUEUE = 1,  // a queue of libdispatch's, by its label
    GP_WORK_TASK = 2,  // a task, by the name that it was given
};

typedef struct {
    gp_record_header header;  // flags: GP_WORK_*
    // name; empty for GP_WORK_UNKNOWN
} gp_work;

enum {
    GP_SAMPLED_BY_PERF = 0,  // a task-clock perf event of each thread
    GP_SAMPLED_BY_TIMER = 1,  // a timer on each thread's CPU clock; one sample may stand for several periods
};

typedef struct {
    gp_record_header header;  // flags: GP_SAMPLED_BY_*
    uint64_t period_ns;  // CPU time between two samples of a thread
    uint64_t wait_period_ns;  // time between two looks at waiting threads; 0: they are not looked at
    // sentence: which way was chosen, and why
} gp_sampling;

typedef struct {
    gp_record_header header;
    uint32_t thread;
    uint32_t reserved;
    uint64_t cpu_ns;  // user and system time while it was sampled
    uint64_t system_ns;  // of that, in the kernel
    uint64_t lost;  // samples that came at a moment when none could be taken
} gp_thread_time;

// ------------------------------------------------------------------------------------------------------------ files

// What a descriptor stands for.
enum {
    GP_FILE_PATH = 0,  // name: the path as the program gave it
    GP_FILE_SOCKET = 1,
    GP_FILE_PIPE = 2,
    GP_FILE_EVENT = 3,  // an event queue, a timer …: no bytes of a file or of another process go through it
    GP_FILE_INHERITED = 4,  // open when the program began, or opened past the C library
    GP_FILE_REFUSED = 5,  // calls that failed and concern no open descriptor
};

// gp_file_use.header.flags.
enum {
    GP_FILE_OPENED = 0,
    GP_FILE_CLOSED = 1,
    GP_FILE_READ = 2,
    GP_FILE_WRITE = 3,
    GP_FILE_SYNC = 4,  // waits until what was written is on the disk
    GP_FILE_CONNECTED = 5,
    GP_FILE_RENAMED =
        6,  // sockets that got the name `file` with their peer; `stack`: id of the name that they had before
};

typedef struct {
    gp_record_header header;  // flags: GP_FILE_PATH …
    uint32_t id;  // 1, 2, 3 …
    uint32_t reserved;
    // name
} gp_file_name;

typedef struct {
    gp_record_header header;  // flags: GP_FILE_OPENED …
    uint32_t file;  // id of a gp_file_name
    uint32_t stack;
    uint64_t calls;
    uint32_t failures;  // of the calls: returned an error
    uint32_t exhausted;  // of those: no descriptor was left (EMFILE, ENFILE)
    uint64_t bytes;  // of closed descriptors: the nanoseconds for which they were open
    uint64_t ns;  // in all these calls
    uint64_t longest_ns;  // of one call
    uint64_t time_ns;  // when the record was written
} gp_file_use;

typedef struct {
    gp_record_header header;  // flags: GP_OPEN_*
    uint32_t file;  // id of a gp_file_name; 0: none, the list of open files begins anew
    uint32_t stack;  // that opened it
    uint32_t descriptor;
    uint32_t holder;  // another process that has an end of the pipe or socket open; 0: none is known
    uint64_t opened_ns;
    uint64_t used_ns;  // last read or written; 0: never
    // name of the other process
} gp_open_file;

// gp_open_file.header.flags.
enum {
    GP_OPEN_PEER_CLOSED = 1u << 0,  // a connected socket whose peer sends no more
    GP_OPEN_HELD_FOR_READING = 1u << 1,  // by the other process
    GP_OPEN_HELD_FOR_WRITING = 1u << 2,
};

_Static_assert(sizeof(gp_file_name) == 16 && sizeof(gp_file_use) == 64 && sizeof(gp_open_file) == 40, "bytes");
_Static_assert(sizeof(gp_sample) == 16 && sizeof(gp_sampling) == 24 && sizeof(gp_thread_time) == 40, "bytes");
_Static_assert(sizeof(gp_zombie) == 96 && sizeof(gp_zombie_summary) == 96 && sizeof(gp_count_change) == 48, "bytes");
_Static_assert(sizeof(gp_file_header) == 48, "bytes of the file");
_Static_assert(sizeof(gp_chunk_header) == 32, "bytes of the file");
_Static_assert(sizeof(gp_alloc) == 16 && sizeof(gp_free) == 16 && sizeof(gp_frame) == 16, "one cell");
_Static_assert(sizeof(gp_type) == 16 && sizeof(gp_repeat) == 16 && sizeof(gp_time) == 16, "one cell");
_Static_assert(sizeof(gp_thread_mark) == 16, "one cell");
_Static_assert(sizeof(gp_image) == 80 && sizeof(gp_type_name) == 32 && sizeof(gp_program) == 24, "bytes of the file");
_Static_assert(sizeof(gp_heap_begin) == 48 && sizeof(gp_heap_object) == 56 && sizeof(gp_heap_edge) == 40, "bytes");
_Static_assert(sizeof(gp_heap_census) == 32 && sizeof(gp_heap_root) == 40 && sizeof(gp_heap_end) == 72, "bytes");
_Static_assert(sizeof(gp_heap_target) == 32, "bytes");
_Static_assert(sizeof(gp_resident_map) == 40 && sizeof(gp_resident_range) == 88, "bytes");

// -------------------------------------------------------------------------------------------------- reference counting

// gp_reference_counting.header.flags.
enum {
    GP_COUNTING_RELEASES = 1u << 0,
    GP_COUNTING_NONATOMIC = 1u << 1,
    GP_COUNTING_SAMPLED =
        1u << 2,  // one whole stack that stands for `calls` of those that records without this flag count
};

// Calls of the runtime's functions that retain or release. The stack of a record without GP_COUNTING_SAMPLED is the return
// address of the call alone, and above it, as GP_FRAME_EXACT, the function that ended in a jump to the runtime's, if one did.
// Without a stack: `calls` were made while the recorder was busy, and no other record counts them.
typedef struct {
    gp_record_header header;  // flags: GP_COUNTING_*
    uint32_t type;  // id of a gp_type; 0: not known
    uint32_t stack;
    uint64_t calls;
    uint64_t changes;  // of the strong count; a call may make several
    uint64_t immortal;  // of the calls: for objects that have no count, so that nothing is changed
} gp_reference_counting;

_Static_assert(sizeof(gp_reference_counting) == 40, "bytes of the file");
