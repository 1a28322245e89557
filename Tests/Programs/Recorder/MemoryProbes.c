// Watches otel_memory:alloc and otel_memory:free as a tracer does: reads the notes of the recorder's file, counts the
// semaphores up, and stops at each probe's instruction. With the argument “kernel” the kernel does that, by uprobes with a
// reference counter. Prints what was seen. x86-64.
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { PROBES = 2, ARGUMENTS = 3, SEEN_MOST = 4096 };

typedef struct {
    const char *name;
    uint8_t *instruction;
    volatile uint16_t *semaphore;
    int registers[ARGUMENTS], count;
    uint64_t seen[SEEN_MOST][ARGUMENTS];
    volatile unsigned hits;
} probe;

static probe probes[PROBES] = {{.name = "alloc"}, {.name = "free"}};

static void fail(const char *what) {
    dprintf(2, "failed: %s\n", what);
    _exit(1);
}

static int find_recorder(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    if (!strstr(info->dlpi_name, "libGameRecorder.so"))
        return 0;
    *(struct dl_phdr_info *)context = *info;
    return 1;
}

static int register_of(const char *name, size_t length) {
    static const struct {
        const char *name;
        int number;
    } all[] = {{"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX}, {"rdx", REG_RDX}, {"rsi", REG_RSI},
               {"rdi", REG_RDI}, {"rbp", REG_RBP}, {"r8", REG_R8},   {"r9", REG_R9},   {"r10", REG_R10},
               {"r11", REG_R11}, {"r12", REG_R12}, {"r13", REG_R13}, {"r14", REG_R14}, {"r15", REG_R15}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0)
            return all[i].number;
    fail("an argument stands in no register");
    return 0;
}

// "8@%rdi 8@%rsi"
static void read_arguments(probe *of, const char *text) {
    while (*text && of->count < ARGUMENTS) {
        if (strncmp(text, "8@%", 3) != 0)
            fail("an argument has no 8 bytes");
        text += 3;
        const size_t length = strcspn(text, " ");
        of->registers[of->count++] = register_of(text, length);
        text += length + (text[length] != 0);
    }
}

// A note: location, base, semaphore; then provider, name and arguments.
static void read_note(const struct dl_phdr_info *recorder, uint64_t base, const uint8_t *note) {
    const uint64_t *words = (const uint64_t *)note;
    const char *provider = (const char *)note + 3 * sizeof *words, *name = provider + strlen(provider) + 1;
    if (strcmp(provider, "otel_memory") != 0)
        return;
    if (words[1] != base)
        fail("the base is another section's");
    for (int i = 0; i < PROBES; i++)
        if (strcmp(probes[i].name, name) == 0) {
            probes[i].instruction = (uint8_t *)(recorder->dlpi_addr + words[0]);
            probes[i].semaphore = (volatile uint16_t *)(recorder->dlpi_addr + words[2]);
            read_arguments(&probes[i], name + strlen(name) + 1);
        }
}

static void read_notes(const struct dl_phdr_info *recorder) {
    FILE *file = fopen(recorder->dlpi_name, "re");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail("the recorder's file cannot be read");
    const long size = ftell(file);
    uint8_t *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)bytes;
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(bytes + header->e_shoff), *found = NULL;
    const char *names = (const char *)bytes + sections[header->e_shstrndx].sh_offset;
    uint64_t base = 0;
    for (int i = 0; i < header->e_shnum; i++) {
        const char *name = names + sections[i].sh_name;
        if (strcmp(name, ".note.stapsdt") == 0)
            found = &sections[i];
        if (strcmp(name, ".stapsdt.base") == 0)
            base = sections[i].sh_addr;
    }
    if (!found)
        fail("there is no .note.stapsdt");
    for (uint64_t at = 0; at < found->sh_size;) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(bytes + found->sh_offset + at);
        const uint64_t text = at + sizeof *note + ((note->n_namesz + 3) & ~3u);
        if (note->n_type == 3)
            read_note(recorder, base, bytes + found->sh_offset + text);
        at = text + ((note->n_descsz + 3) & ~3u);
    }
}

// The trap stands where a nop of one byte stood.
static void trapped(int signal, siginfo_t *info, void *context) {
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)signal, (void)info;
    for (int i = 0; i < PROBES; i++)
        if (registers[REG_RIP] == (greg_t)probes[i].instruction + 1) {
            for (int k = 0; k < probes[i].count && probes[i].hits < SEEN_MOST; k++)
                probes[i].seen[probes[i].hits][k] = (uint64_t)registers[probes[i].registers[k]];
            probes[i].hits++;
            return;
        }
    fail("a trap that no probe set");
}

static void watch(void) {
    const struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    for (int i = 0; i < PROBES; i++) {
        if (!probes[i].instruction || *probes[i].instruction != 0x90)
            fail("a probe is no nop");
        if (*probes[i].semaphore != 0)
            fail("a semaphore is up before the program is watched");
        const uintptr_t page = (uintptr_t)probes[i].instruction & ~4095ul;
        if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            fail("mprotect");
        *probes[i].instruction = 0xcc;
    }
}

static void *volatile kept[SEEN_MOST];

static void allocate(unsigned count, size_t size) {
    for (unsigned i = 0; i < count; i++)
        kept[i] = malloc(size);
    for (unsigned i = 0; i < count; i++)
        free(kept[i]);
}

// Of an address in the recorder's image.
static uint64_t file_offset(const struct dl_phdr_info *recorder, const volatile void *address) {
    const uint64_t place = (uintptr_t)address - recorder->dlpi_addr;
    for (int i = 0; i < recorder->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &recorder->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && place - part->p_vaddr < part->p_filesz)
            return place - part->p_vaddr + part->p_offset;
    }
    fail("a probe lies in no part of the file");
    return 0;
}

static int open_uprobe(const struct dl_phdr_info *recorder, const probe *at) {
    unsigned type = 0;
    FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
    if (!file || fscanf(file, "%u", &type) != 1)
        return -1;
    fclose(file);
    struct perf_event_attr event = {.type = type, .size = sizeof event};
    event.config = file_offset(recorder, at->semaphore) << 32;  // ref_ctr_offset
    event.uprobe_path = (uintptr_t)recorder->dlpi_name;
    event.probe_offset = file_offset(recorder, at->instruction);
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int watch_by_kernel(const struct dl_phdr_info *recorder) {
    int events[PROBES];
    uint64_t hits[PROBES];
    for (int i = 0; i < PROBES; i++)
        if ((events[i] = open_uprobe(recorder, &probes[i])) < 0) {
            puts("not permitted");
            return 0;
        }
    const bool are_up = *probes[0].semaphore > 0 && *probes[1].semaphore > 0;
    allocate(1000, 4096);
    for (int i = 0; i < PROBES; i++)
        if (read(events[i], &hits[i], sizeof hits[i]) != sizeof hits[i] || close(events[i]) != 0)
            fail("read");
    const bool are_down = *probes[0].semaphore == 0 && *probes[1].semaphore == 0;
    printf("%" PRIu64 " %" PRIu64 " %d %d\n", hits[0], hits[1], are_up, are_down);
    return 0;
}

static bool was_seen(const probe *at, uint64_t address) {
    for (unsigned i = 0; i < at->hits && i < SEEN_MOST; i++)
        if (at->seen[i][0] == address)
            return true;
    return false;
}

int main(int count, char **words) {
    struct dl_phdr_info recorder = {0};
    dl_iterate_phdr(find_recorder, &recorder);
    if (!recorder.dlpi_name)
        fail("no recorder is loaded");
    read_notes(&recorder);
    if (count > 1 && strcmp(words[1], "kernel") == 0)
        return watch_by_kernel(&recorder);
    watch();
    allocate(1000, 4096);
    if (probes[0].hits || probes[1].hits)
        fail("a probe was reached although its semaphore is 0");
    for (int i = 0; i < PROBES; i++)
        ++*probes[i].semaphore;
    allocate(1000, 4096);
    for (int i = 0; i < PROBES; i++)
        --*probes[i].semaphore;
    const unsigned allocations = probes[0].hits, frees = probes[1].hits;
    uint64_t weighted = 0;
    bool of_program = true, as_frees = true;
    for (unsigned i = 0; i < allocations; i++) {
        bool ours = false;
        for (unsigned k = 0; k < 1000; k++)
            ours |= probes[0].seen[i][0] == (uintptr_t)kept[k];
        of_program &= ours && probes[0].seen[i][1] == 4096;
        as_frees &= was_seen(&probes[1], probes[0].seen[i][0]);
        weighted += probes[0].seen[i][2];
    }
    printf("%u %u %" PRIu64 " %d %d\n", allocations, frees, weighted, of_program, as_frees);
    return 0;
}
