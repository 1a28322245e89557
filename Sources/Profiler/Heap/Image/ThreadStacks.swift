/// Where the stacks of threads end, as glibc's `struct pthread` says it.
extension MemoryImage {
    /// What of a mapping is a thread's stack: all of it, unless more is known.
    func stackRange(of thread: Thread, in mapping: Mapping) -> Range<UInt64> {
        stackBounds(of: thread, in: mapping) ?? mapping.start..<mapping.end
    }

    /// The kernel may have joined a stack with what lies beside it: `struct pthread` says where it ends. Nil: the thread runs on memory
    /// that is not its stack, or is the main thread of a core file. Elsewhere than on x86-64 it is the whole mapping.
    func stackBounds(of thread: Thread, in mapping: Mapping) -> Range<UInt64>? {
        let whole = mapping.start..<mapping.end
        guard machine == 62, thread.registers.count > 21, mapping.file != "[stack]" else { return whole }
        let (own, least): (UInt64, UInt64) = (thread.registers[21], 16384)
        guard own & 7 == 0, whole.contains(own), own > thread.stackPointer else { return nil }
        let last = mapping.end - min(16, mapping.end)
        for place in stride(from: own, to: min(own + Self.threadBytes, last), by: 8) {
            guard let low = word(place), let size = word(place + 8), low & 4095 == 0, size & 4095 == 0, low > 0,
                size >= least, low <= thread.stackPointer, size <= mapping.end - min(low, mapping.end),
                own < low + size
            else { continue }
            return max(low, mapping.start)..<low + size
        }
        return whole
    }

    /// glibc's `struct pthread` has at most so many bytes on x86-64.
    private static let threadBytes: UInt64 = 8192
}
