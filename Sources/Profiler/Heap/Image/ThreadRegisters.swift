/// Where in the kernel's `elf_gregset_t` a processor has what is needed of a stopped thread.
package struct ThreadRegisters {
    package let count: Int
    package let stackPointer: Int
    package let programCounter: Int
    package let framePointer: Int
    /// The link register, where there is one.
    package let link: Int?
    let systemCall: Int
    /// Of a system call.
    let arguments: [Int]

    /// By `e_machine`; nil: not known.
    package init?(machine: UInt16) {
        switch machine {
        case 62:  // struct user_regs_struct: orig_rax; rdi, rsi, rdx, r10, r8, r9
            (count, stackPointer, programCounter, systemCall) = (27, 19, 16, 15)
            (framePointer, link) = (4, nil)
            arguments = [14, 13, 12, 7, 9, 8]
        case 183:  // struct user_pt_regs
            (count, stackPointer, programCounter, systemCall) = (34, 31, 32, 8)
            (framePointer, link) = (29, 30)
            arguments = Array(0..<6)
        default: return nil
        }
    }

    func thread(_ id: UInt32, _ words: [UInt64]) -> MemoryImage.Thread? {
        guard words.count >= count else { return nil }
        return MemoryImage.Thread(
            id: id, registers: words, stackPointer: words[stackPointer], programCounter: words[programCounter])
    }

    /// A thread that was not stopped: what is not known is 0.
    func thread(_ id: UInt32, _ sleeping: SleepingThread) -> MemoryImage.Thread {
        var words = [UInt64](repeating: 0, count: count)
        words[systemCall] = UInt64(bitPattern: Int64(sleeping.call.number))
        for (place, word) in zip(arguments, sleeping.call.arguments) { words[place] = word }
        (words[stackPointer], words[programCounter]) = (sleeping.stackPointer, sleeping.programCounter)
        return MemoryImage.Thread(
            id: id, registers: words, stackPointer: sleeping.stackPointer, programCounter: sleeping.programCounter)
    }
}
