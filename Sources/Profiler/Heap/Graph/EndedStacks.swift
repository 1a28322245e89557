import GameprofBasics
import GameprofTrace

/// Stacks of threads that have ended: the C library keeps them, with the control block (`struct pthread`) at their outer end, for
/// the next threads. What lies there is nobody's, but for the result of a thread that may still be joined.
struct EndedStacks {
    /// Where in a control block glibc keeps what is asked of it.
    struct Layout {
        /// Its place in the list of stacks, the thread's id, its state, what the thread began with; 0: not known.
        let (list, id, state, start): (UInt64, UInt64, UInt64, UInt64)

        init(list: UInt64 = 0, id: UInt64, state: UInt64, start: UInt64 = 0) {
            (self.list, self.id, self.state, self.start) = (list, id, state, start)
        }

        /// As the C library says it to debuggers (libthread_db). Nil: it does not say it, or no thread has its id there.
        init?(_ memory: MemoryImage, _ threads: [(thread: UInt32, pointer: UInt64)]) {
            // Two are the same since glibc 2.4.
            var places: [String: UInt64] = ["tid": 720, "cancelhandling": 776]
            let prefix = "_thread_db_pthread_"
            let names = ["list", "tid", "cancelhandling", "start_routine"].map { prefix + $0 }
            let libc = memory.mappings.first { $0.offset == 0 && SystemLibrary(at: $0.start, in: memory) == .libc }
            let found = libc.map { ELFImages.definitions(of: Set(names), memory, at: $0.start) } ?? [:]
            for (name, address) in found {
                // Bits, count, offset.
                guard let offset = memory.u32(address &+ 8), offset <= EndedStacks.size - 16 else { continue }
                places[String(name.dropFirst(prefix.count))] = UInt64(offset)
            }
            self.init(
                list: places["list"] ?? 0, id: places["tid"] ?? 0, state: places["cancelhandling"] ?? 0,
                start: places["start_routine"] ?? 0)
            guard memory.machine == 62 || list > 0,
                threads.contains(where: { memory.u32($0.pointer &+ id) == $0.thread })
            else { return nil }
        }
    }

    /// By address.
    private(set) var ranges: [Range<UInt64>] = []
    /// Words of control blocks whose threads may still be joined, but for the thread's argument.
    private(set) var results: [Range<UInt64>] = []
    /// Threads that nobody has joined or detached: `pthread_t` and stack, by address.
    private(set) var unjoined: [(handle: UInt64, stack: Range<UInt64>)] = []

    private let memory: MemoryImage
    /// Bytes of a control block.
    private static let size: UInt64 = 2304

    /// Those of a process whose threads stand still.
    init(_ memory: MemoryImage, in mapped: [Range<UInt64>], outside others: [Range<UInt64>]) {
        self.init(memory, Layout(memory, memory.threadPointers), in: mapped, outside: others)
    }

    /// - Parameters:
    ///   - layout: nil: not known, and none is found.
    ///   - mapped: memory in which the C library may have them.
    ///   - others: parts of it that are none, by address.
    init(_ memory: MemoryImage, _ layout: Layout?, in mapped: [Range<UInt64>], outside others: [Range<UInt64>]) {
        self.memory = memory
        guard let layout else { return }
        for range in mapped {
            var at = range.lowerBound
            let first = partition(0..<others.count) { others[$0].upperBound > range.lowerBound }
            for other in others[first...].prefix(while: { $0.lowerBound < range.upperBound }) {
                find(layout, at, other.lowerBound)
                at = max(at, other.upperBound)
            }
            find(layout, at, range.upperBound)
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        unjoined.sort { $0.handle < $1.handle }
    }

    /// A control block at the thread pointer, as that of x86-64 is, names itself in its first and its third word.
    private var namesItself: Bool { memory.machine == 62 }

    private mutating func find(_ layout: Layout, _ start: UInt64, _ end: UInt64) {
        let step: UInt64 = namesItself ? 64 : 16
        guard start < end, end - start >= Self.size else { return }
        var at = (start + step - 1) & ~(step - 1)
        while at <= end - Self.size {
            guard memory.has(at, count: 8) else {
                let next = memory.next(from: at)
                guard next < end else { return }
                at = (max(next, at + 1) + step - 1) & ~(step - 1)
                continue
            }
            if memory.word(at) == at || !namesItself { look(layout, at) }
            at += step
        }
    }

    /// Most places are none: what costs little comes first. The kernel clears the id of a thread that has ended; `pthread_join` makes
    /// it −1. Before a thread has begun its id is 0 too, but nothing says yet that it has ended.
    private mutating func look(_ layout: Layout, _ block: UInt64) {
        let (exiting, terminated): (UInt32, UInt32) = (0x10, 0x20)
        guard !namesItself || memory.word(block + 16) == block, let id = memory.u32(block + layout.id),
            Int32(bitPattern: id) <= 0, let state = memory.u32(block + layout.state), state & exiting != 0,
            namesItself || isListed(block + layout.list), let stack = stack(of: block)
        else { return }
        ranges.append(stack)
        guard state & terminated == 0 else { return }
        unjoined.append((block, stack))
        if layout.start > 0 { results.append(block..<block + layout.start) }
        results.append(block + (layout.start > 0 ? layout.start + 16 : 0)..<block + Self.size)
    }

    /// Whether the members before and behind a member of the list of stacks name it.
    private func isListed(_ member: UInt64) -> Bool {
        guard let next = memory.word(member), let previous = memory.word(member + 8) else { return false }
        return memory.word(next &+ 8) == member && memory.word(previous) == member
    }

    /// The lowest address and the size stand side by side, and behind them the size of the guard. The C library gives none to a
    /// stack that the program made, which is its own memory also after its thread.
    private func stack(of block: UInt64) -> Range<UInt64>? {
        let (least, above): (UInt64, UInt64) = (16384, 65536)
        for place in stride(from: block, to: block + Self.size - 16, by: 8) {
            guard let low = memory.word(place), low >= above, low < block, let size = memory.word(place + 8),
                size >= least, size > block - low, size - (block - low) <= above
            else { continue }
            return memory.word(place + 16) ?? 0 > 0 ? low..<low + size : nil
        }
        return nil
    }
}
