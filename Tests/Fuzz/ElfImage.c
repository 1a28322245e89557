// What the loader says of the images that it has mapped, and what stands in them: their headers, notes, names. The input is
// the memory of two images that are loaded one after the other at the same place, behind what is asked about them.
#include "../../Sources/Recorder/Modules/images.c"
#include "FuzzImage.h"

static gp_loaded_object loaded;
static char *arena;
static size_t arena_used;

bool gp_loaded_object_at(uintptr_t address, gp_loaded_object *object) {
    *object = loaded;
    return address >= loaded.start && address < loaded.end;
}

void *gp_arena_allocate(size_t size) {
    enum { ARENA = 1 << 16 };
    if (!arena)
        arena = malloc(ARENA);
    size = (size + 15) & ~(size_t)15;
    if (size > ARENA - arena_used)
        return NULL;
    arena_used += size;
    return memset(arena + arena_used - size, 0, size);
}

void gp_image_write(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id) {
    (void)thread, (void)image;
    FUZZ_REQUIRE(build_id->size <= GP_BUILD_ID_SIZE);
}

void gp_image_write_gone(struct gp_thread *thread, const gp_image_info *image, const gp_build_id *build_id) {
    gp_image_write(thread, image, build_id);
}

// What is called readable must lie within what the loader has mapped.
static void look_at(uintptr_t address, size_t size) {
    const uintptr_t start = loaded.start, end = loaded.end;
    if (gp_address_is_readable_image(address, size) || gp_address_is_readable_code(address, size))
        FUZZ_REQUIRE(address >= start && address < end && size <= end - address);
    if (gp_address_is_executable(address))
        FUZZ_REQUIRE(address >= start && address < end);
    const gp_image_info *image = gp_image_find_loaded((struct gp_thread *)&loaded, address);
    if (!image)
        return;
    FUZZ_REQUIRE(image->eh_frame == loaded.eh_frame);
    FUZZ_REQUIRE(gp_image_readable(image, address) <= end - address);
    gp_image_is_called(image, "lib");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    atomic_store(&newest_image, NULL);
    atomic_store(&segments, NULL);
    atomic_store(&unwritten, 0);
    atomic_store(&gone_count, 0);
    arena_used = 0;
    char name[8] = "";
    for (int i = 0; i < 2; i++) {
        const size_t pages = 1 + fuzz_take(&data, &size, 1) % 4, part = size / (size_t)(2 - i);
        const uintptr_t end = FUZZ_FIRST + pages * PAGE;
        const uint64_t eh_frame = fuzz_take(&data, &size, 2), address = fuzz_take(&data, &size, 2);
        const uint64_t length = fuzz_take(&data, &size, 2), letters = fuzz_take(&data, &size, 7);
        memcpy(name, &letters, 7);
        name[0] |= 1;  // only the program itself has no name
        static const uint8_t zeros[4 * PAGE];
        fuzz_image(zeros, pages * PAGE, FUZZ_PART_MOST);
        const size_t used = part < size ? part : size;
        memcpy((void *)(uintptr_t)FUZZ_FIRST, data, used < PAGE ? used : PAGE);
        loaded = (gp_loaded_object){.start = FUZZ_FIRST,
                                    .end = end,
                                    .bias = FUZZ_FIRST,
                                    .path = name,
                                    .eh_frame = FUZZ_FIRST + 2 * eh_frame + (uintptr_t)i};
        gp_image_find_loaded(NULL, FUZZ_FIRST);
        look_at(FUZZ_FIRST + address, length);
        look_at(end - 1, length);
        look_at(FUZZ_FIRST, length);
        look_at(end, length);
        data += used;
        size -= used;
    }
    return 0;
}
