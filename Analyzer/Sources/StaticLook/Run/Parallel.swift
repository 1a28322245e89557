import Foundation
import SourceReader
import Synchronization

/// Runs the same work for many things on threads with deep stacks.
enum Parallel {
    /// Results in the order of the inputs.
    static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], jobs: Int, _ body: @escaping @Sendable (Input) -> Output
    ) -> [Output] {
        let next = Atomic(0)
        let results = Mutex([Output?](repeating: nil, count: inputs.count))
        let work = Work {
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < inputs.count else { return }
                let output = body(inputs[index])
                results.withLock { $0[index] = output }
            }
        }
        let group = DispatchGroup()
        for _ in 0..<min(jobs, max(1, inputs.count)) {
            group.enter()
            let thread = Thread {
                work.run()
                group.leave()
            }
            thread.stackSize = FileReader.stackSize
            thread.start()
        }
        group.wait()
        return results.withLock { $0.compactMap { $0 } }
    }

    private struct Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
