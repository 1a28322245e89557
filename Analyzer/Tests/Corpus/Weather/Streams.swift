/// The end of its sequence ends the task.
final class Listener {
    private let words: AsyncStream<String>
    private let input: AsyncStream<String>.Continuation
    private var reader: Task<Void, Never>?
    private var count = 0

    init() { (words, input) = AsyncStream.makeStream(of: String.self) }
    func start() {
        reader = Task {  // doubt: endless-task
            for await _ in words { self.count += 1 }
        }
    }
    func close() { input.finish() }
}
