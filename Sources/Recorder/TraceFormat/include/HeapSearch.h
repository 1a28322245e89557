// The conversation between the frozen copy of a recorded process and whoever searches its heap, over a stream socket. The
// copy first says where its blocks and the program's words stand, then answers requests until it is told the result. Where
// nobody listens, it writes what it has to say into the trace, its memory too (GP_HEAP_IMAGE): a reader searches it later.
#pragma once

#include <stdint.h>

typedef struct {
    uint32_t kind;  // GP_SEARCH_*
    uint32_t size;  // bytes that follow
    uint64_t first, second;
} gp_search_message;

enum {
    // The copy says:
    GP_SEARCH_WORDS = 1,  // gp_search_words, as many as fit into the size
    GP_SEARCH_BLOCKS,  // gp_search_block, the same: all live blocks in ascending order
    GP_SEARCH_PATTERNS,  // patterns of types whose objects' paths from a root are asked for, one a line
    GP_SEARCH_OBJECT,  // an object whose path is asked for; first: its address, second: GP_TARGET_*; its label
    GP_SEARCH_SNAPSHOT,  // first: GP_HEAP_AT_EXIT, …; the name of the snapshot
    GP_SEARCH_BEGIN,  // that was all; first: GP_SEARCH_SEEKS_*, second: the process that was copied
    GP_SEARCH_ANSWER,
    GP_SEARCH_MAPS,  // only in a trace: a part of the text of /proc/self/maps; first: e_machine of ELF
    GP_SEARCH_MEMORY,  // only in a trace: what stands from the address first on; without bytes: second zeros
    GP_SEARCH_SMAPS,  // a part of the text of the process's smaps, behind which its smaps_rollup stands
    GP_SEARCH_UNREAD,  // a sentence without its period: what words of the program may stand in that could not be read
    // Parts of the text of a file of the process below /proc, without bytes where it could not be read; first: tells files of one
    // kind apart.
    GP_SEARCH_EPOLL,  // fdinfo of an epoll set; first: the descriptor, or GP_SEARCH_ALL_DESCRIPTORS: they could not be listed
    GP_SEARCH_URING,  // fdinfo of an io_uring
    GP_SEARCH_TIMERS,

    // It is asked, and answers the first two:
    GP_SEARCH_READ = 16,  // second bytes from the address first on: those that can be read, up to the first that cannot
    GP_SEARCH_TYPES,  // uint64_t each, a metadata address: uint32_t each, the id of its gp_type
    GP_SEARCH_RECORDS,  // records of a trace, which it writes
    GP_SEARCH_PROGRESS,  // the search goes on
    GP_SEARCH_DONE,  // gp_search_result
    GP_SEARCH_FAILED,  // a sentence without its period: why there is no result
    GP_SEARCH_UNABLE,  // the searcher has too little memory: another one may have more
};

// What is asked for.
enum {
    GP_SEARCH_SEEKS_GRAPH = 1u << 0,  // of all live blocks
    GP_SEARCH_SEEKS_SMALL_GRAPH = 1u << 1,  // the same, where it is small
    GP_SEARCH_SEEKS_PATHS_ALONE = 1u << 2,
    GP_SEARCH_SEEKS_COUNTS_ALONE = 1u << 3,  // of blocks: the memory proves nothing
    GP_SEARCH_OTHER_MALLOC = 1u << 4,  // a fact: blocks have no header of glibc's in front
};

#define GP_SEARCH_ALL_DESCRIPTORS 0xffffffffffffffffull

// The longest message, and the longest one that the copy says before it answers: it fits into a record.
#define GP_SEARCH_MOST (1u << 18)
#define GP_SEARCH_MOST_SAID 61440u

// A run of words, or another fact about the memory.
typedef struct {
    uint32_t kind;  // GP_ROOT_* with GP_WORDS_* flags: the words from start to end; or one of GP_WORDS_BUFFER on
    uint32_t thread;
    uint64_t start, end;
} gp_search_words;

enum {
    GP_WORDS_NEXT_CHUNKS = 1u << 8,  // a word that names the chunk behind a block is malloc's own
    GP_WORDS_PASSING = 1u << 9,  // of a stack or a register
    GP_WORDS_BUFFER = 1u << 16,  // of a stream of the C library
    GP_WORDS_THREAD = 2u << 16,  // start: the thread's pointer
    // A thread was stopped, with its stack pointer at end: in code, or in the kernel, start: in the system call of that number, −1:
    // not known.
    GP_WORDS_RUNNING = 3u << 16,
    GP_WORDS_WAITING = 8u << 16,
    GP_WORDS_FRAME =
        4u << 16,  // of the thread's stack, innermost first: it ends at start, and returns to end in its function
    GP_WORDS_LOCALS = 5u << 16,  // thread-local variables of the thread
    GP_WORDS_MOVED = 6u << 16,  // what stands from start on was copied from end
    GP_WORDS_RANGE = 7u << 16,  // with GP_RANGE_*: what the memory is for; thread: whose, or the stack that mapped it
    GP_WORDS_MAKER = 9u << 16,  // thread: the stack that made the thread whose pthread_t start is
};

typedef struct {
    // Above its bits, of another malloc: what the block has beyond its size, both rounded up, in units of 16 bytes.
    uint64_t address;
    uint64_t size;  // requested; its high byte: the generation
    uint32_t maker;  // stack << 4 | GP_SEARCH_OF_*
    uint32_t type;  // id of a gp_type; 0: no Swift object
} gp_search_block;

#define GP_SEARCH_ADDRESS_BITS 48
#define GP_SEARCH_MOST_ROOM 0xffffull
#define GP_SEARCH_SIZE 0xffffffffffffffull  // bits of a size

// Blocks that nothing names that is searched.
enum {
    GP_SEARCH_OF_LOADER = 1u << 0,  // allocated by the dynamic linker
    GP_SEARCH_OF_RECORDER = 1u << 1,  // allocated on behalf of the recorder: it counts for nothing
};

typedef struct {
    uint64_t unreachable, unreachable_bytes, listed;
    uint64_t lost_blocks, lost_digest, hidden;  // as in gp_lost
} gp_search_result;
