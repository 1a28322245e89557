/// Continuations that libdispatch keeps for its next work items: what they hold is what their last owners left.
struct CachedContinuations {
    private let graph: BlockGraph
    private var memory: MemoryImage { graph.memory }

    init(_ graph: BlockGraph) { self.graph = graph }

    /// Numbers of the blocks that threads keep.
    func blocks(of threads: [(thread: UInt32, pointer: UInt64)]) -> [Int] {
        threads.flatMap { find(of: $0.thread, $0.pointer) }
    }

    /// A thread's own data (`struct dispatch_tsd`): its id, …, the chain of continuations that were run.
    private enum ThreadData {
        static let (chain, size): (UInt64, UInt64) = (24, 96)
        /// The storage of libraries that came with the program lies beside the thread control block: below it on x86-64.
        static let reach: UInt64 = 65536
    }

    private func find(of thread: UInt32, _ pointer: UInt64) -> [Int] {
        let place = pointer & ~7
        guard let mapping = memory.mapping(at: place) else { return [] }
        let isBelow = memory.machine == 62
        let start = isBelow ? max(mapping.start, place - min(ThreadData.reach, place)) : place
        let end = isBelow ? place : min(mapping.end, place + ThreadData.reach)
        var result: [Int] = []
        var at = start
        while at + ThreadData.size <= end {
            if memory.word(at) == UInt64(thread), let first = memory.word(at + ThreadData.chain) {
                result += chain(from: first)
            }
            at += 8
        }
        return result
    }

    /// The continuations of a chain in which each one knows how many are left; none: it is no such chain.
    private func chain(from first: UInt64) -> [Int] {
        var (result, at): ([Int], UInt64) = ([], first)
        guard isContinuation(first), let length = memory.u32(first + 8), (1...4096).contains(length) else { return [] }
        for left in stride(from: length, to: 0, by: -1) {
            guard isContinuation(at), memory.u32(at + 8) == left, let block = graph.blocks.exact(at),
                let next = memory.word(at + 16)
            else { return [] }
            result.append(block)
            at = next
        }
        return at == 0 ? result : []
    }

    /// `struct dispatch_continuation_s`: flags, length of the chain from here on, the next one, voucher, function, context, data.
    private func isContinuation(_ address: UInt64) -> Bool {
        guard let block = graph.blocks.exact(address), (64...88).contains(graph.usable(graph.blocks[block])),
            let function = memory.word(address + 32)
        else { return false }
        // There is none where a source's timer has used it.
        return function == 0 || graph.space.images.isExecutable(function)
    }
}
