// A file that stays writable whatever the recorded program does with its descriptors.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char path[4096];  // absolute
    int descriptor;  // high above those of the program; −1: not open
    uint64_t device, inode;
} gp_file;

// Creates or empties the file at file->path, mode 0600. 0 or a negative errno.
long gp_file_create(gp_file *file);

// Opens the file at file->path, which is there. 0 or a negative errno.
long gp_file_open(gp_file *file);

// Whether the descriptor is that of a regular file that has no other name and no other owner.
bool gp_file_is_own(int descriptor);

// The file's descriptor, after a check that it still is this file: a program that closed it (or put another file in its
// place) makes the file be opened again. A negative errno when that fails.
long gp_file_descriptor(gp_file *file);

// Writes all bytes, or returns a negative errno. Beyond the file size limit it returns −EFBIG without SIGXFSZ.
long gp_file_write(gp_file *file, const void *bytes, size_t size, uint64_t offset);

// Cuts or lengthens the file (with a hole). 0 or a negative errno.
long gp_file_set_size(gp_file *file, uint64_t size);

// Writes a text where the descriptor stands; a failure is not reported. Beyond the file size limit there is no SIGXFSZ.
void gp_file_append_text(int descriptor, const char *text, size_t size);

// Makes the file at least `size` bytes long and reserves the disk blocks of the new part, so that a mapping of it
// cannot fail later. 0 or a negative errno.
long gp_file_reserve(gp_file *file, uint64_t offset, uint64_t size);

enum { GP_HIGH_DESCRIPTOR = 900 };

// Gives a descriptor of the recorder's a high number, so that those of the program keep the numbers that they have
// without the recorder. Returns the new number, or the old one when there is no higher.
int gp_file_move_high(int descriptor);

// Closes the descriptor if it still is this file's.
void gp_file_forget(gp_file *file);
