/// Where the stacks of threads end, as glibc's `struct pthread` says it.
extension MemoryImage {
    /// The kernel may have joined a stack with what lies above it: `struct pthread` says where it ends.
    func stackRange(of thread: Thread, in mapping: Mapping) -> Range<UInt64> {
        let whole = mapping.start..<mapping.end
        guard machine == 62, thread.registers.count > 21, case let own = thread.registers[21], own & 7 == 0,
            whole.contains(own), own > thread.stackPointer
        else { return whole }
        for place in stride(from: own, to: min(own + Self.threadBytes, mapping.end - 16), by: 8) {
            guard let low = word(place), let size = word(place + 8), low & 4095 == 0, size & 4095 == 0,
                low <= thread.stackPointer, size <= mapping.end - min(low, mapping.end), own < low + size
            else { continue }
            return max(low, mapping.start)..<low + size
        }
        return whole
    }

    /// Of glibc's `struct pthread` on x86-64: at most so many bytes.
    private static let threadBytes: UInt64 = 8192
}
