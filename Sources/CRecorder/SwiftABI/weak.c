// Weak references: the stored word is the address of the object's side table.
#include "live_table.h"
#include "references.h"
#include "walk.h"
#include "word.h"

uintptr_t gp_weak_target(uintptr_t word) {
    gp_block table;
    return gp_live_get(word, &table) && table.size >= GP_SIDE_TABLE_BYTES ? gp_word_at(word) : 0;
}
