// The dynamic symbol table of a loaded image, whose program headers, dynamic section and tables are the input behind two
// bytes that say where its second segment begins.
#include "runtime_symbols.h"
#include "FuzzImage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t split = fuzz_take(&data, &size, 2);
    const gp_image_info image = fuzz_image(data, size, split);
    gp_exported_symbol(&image, "work");
    gp_exported_symbol(&image, "");
    return 0;
}
