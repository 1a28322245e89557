// The walk over the loader's list, which serves where glibc has no _dl_find_object, finds what that function finds.
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>

#include "Check.h"
#include "../../../Sources/Recorder/Modules/image_headers.h"

static void is_found_alike(uintptr_t address) {
    gp_loaded_object walked;
    struct dl_find_object found;
    CHECK(_dl_find_object((void *)address, &found) == 0);
    CHECK(gp_loaded_object_in_list(address, &walked));
    CHECK(walked.bias == found.dlfo_link_map->l_addr && walked.path == found.dlfo_link_map->l_name);
    CHECK(walked.eh_frame == (uintptr_t)found.dlfo_eh_frame);
    CHECK(walked.start <= (uintptr_t)found.dlfo_map_start && walked.end >= (uintptr_t)found.dlfo_map_end);
    CHECK(walked.end - walked.start < (uintptr_t)found.dlfo_map_end - (uintptr_t)found.dlfo_map_start + 2 * 4096);
}

static int visit(struct dl_phdr_info *info, size_t size, void *count) {
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_memsz > 0)
            is_found_alike(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz / 2);
    ++*(int *)count;
    return 0;
}

int main(void) {
    gp_loaded_object object;
    int count = 0;
    dl_iterate_phdr(visit, &count);
    CHECK(count > 3);

    void *library = dlopen("libmvec.so.1", RTLD_NOW);
    CHECK(library);
    uintptr_t function = (uintptr_t)dlsym(library, "_ZGVbN2v_sin");
    is_found_alike(function);
    CHECK(dlclose(library) == 0);
    CHECK(!gp_loaded_object_in_list(function, &object));

    void *block = malloc(100);
    CHECK(!gp_loaded_object_in_list((uintptr_t)block, &object));
    CHECK(!gp_loaded_object_in_list((uintptr_t)&object, &object));
    CHECK(!gp_loaded_object_in_list(0, &object) && !gp_loaded_object_in_list(UINTPTR_MAX, &object));
    free(block);
    puts("passed");
}
