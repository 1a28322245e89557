// What the kernel says of descriptors: other processes that have the same pipe or socket open (children that inherited it), and
// locks.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { GP_HOLDER_NAME = 16 };  // of TASK_COMM_LEN, with its NUL

typedef struct {
    uint32_t descriptor;
    uint32_t process;  // that has it open; 0: none is known
    uint8_t flags;  // GP_OPEN_HELD_*
    char name[GP_HOLDER_NAME];
    uint64_t inode;
} gp_file_holder;

// Whether a lock of a file is held through a descriptor of this process. Some microseconds.
bool gp_file_is_locked(uint32_t descriptor);

// Begins a search; the descriptors of the one before are forgotten.
void gp_file_holders_begin(void);

// Adds a descriptor of this process to those that are searched for, if it is a pipe or a socket and there is room for one more.
void gp_file_holders_add(uint32_t descriptor);

// Looks at the processes that may be looked at, up to 20,000 of their descriptors: 2 µs for each.
void gp_file_holders_find(void);

// What was found of a descriptor; NULL: nothing.
const gp_file_holder *gp_file_holder_of(uint32_t descriptor);
