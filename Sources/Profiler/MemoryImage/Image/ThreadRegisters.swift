/// Where in the kernel's `elf_gregset_t` a processor has what is needed of a stopped thread.
struct ThreadRegisters {
    var count: Int
    var stackPointer: Int
    var programCounter: Int

    /// By `e_machine`; nil: not known.
    init?(machine: UInt16) {
        switch machine {
        case 62: (count, stackPointer, programCounter) = (27, 19, 16)  // struct user_regs_struct
        case 183: (count, stackPointer, programCounter) = (34, 31, 32)  // struct user_pt_regs
        default: return nil
        }
    }

    func thread(_ id: UInt32, _ words: [UInt64]) -> MemoryImage.Thread? {
        guard words.count >= count else { return nil }
        return MemoryImage.Thread(
            id: id, registers: words, stackPointer: words[stackPointer], programCounter: words[programCounter])
    }
}
