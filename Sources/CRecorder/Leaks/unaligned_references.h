// Addresses at odd places: packed structures (struct epoll_event is one) and bytes that a program encodes ([UInt8], Data)
// hold them where no word begins, some in the byte order of networks, some as two numbers of 32 bits, the upper one first;
// lock-free lists shift them to make room for a counter. A whole address in one of these forms is no accident. What holds
// less than an address (an offset from a base, the difference of two) is not seen.
//
// They are looked for only when something seems lost: every living byte is then read once more.
#pragma once

#include "mark.h"
#include "roots.h"

// Marks, and follows from, the unmarked blocks of which a root or a marked block names the beginning at an odd place.
// Reads 4 GiB at most.
void gp_unaligned_references_mark(const gp_roots *roots, gp_marker *marker);
