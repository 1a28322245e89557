import StaticFindingModel
import Testing

/// Circles that close by way of what a program only says elsewhere, beside programs that look the same and end.
struct CircleTests {
    private func sure(_ text: String) throws -> [StaticFinding] {
        try Sample(["main.swift": text]).look().suspects.filter { $0.confidence >= .medium }
    }

    private static func worker(_ loop: String, _ next: String, _ end: String = "") -> String {
        """
        final class Worker: @unchecked Sendable {
            private var task: Task<Void, Never>?
            private var jobs: [Int] = []
            private var waiting: CheckedContinuation<Int?, Never>?
            func start() { task = Task { \(loop) } }
            func next() async -> Int? { \(next) }
            func isOpen() async -> Bool { return true }
            func handle(_ job: Int) { jobs.append(job) }
            func send(_ job: Int) { waiting?.resume(returning: job) }
            func stop() { \(end) }
            deinit { task?.cancel() }
        }
        let worker = Worker()
        worker.start()
        worker.stop()
        """
    }

    private static let waits = "await withCheckedContinuation { waiting = $0 }"

    @Test(arguments: [
        ("while let job = await self.next() { self.handle(job) }", waits),
        ("while true { guard let job = await self.next() else { break }; self.handle(job) }", waits),
        (
            "while let job = await self.next() { self.handle(job) }",
            "while true { if let job = jobs.first { return job } }"
        ),
        ("while await self.isOpen() { self.handle(1) }", "nil"),
        ("while true { if Task.isCancelled { return }; self.handle(1) }", "nil"),
        ("while true { do { try await Task.sleep(for: .seconds(1)) } catch { return }; self.handle(1) }", "nil"),
    ])
    func aTaskThatWaitsForWhatAlwaysComes(_ loop: String, _ next: String) throws {
        #expect(try sure(Self.worker(loop, next)).map(\.rule) == ["endless-task"])
    }

    @Test(arguments: [
        ("while let job = await self.next() { self.handle(job) }", "jobs.popLast()", ""),
        ("while let job = await self.next() { self.handle(job) }", waits, "waiting?.resume(returning: nil)"),
        ("while let job = await self.next() { self.handle(job) }", waits, "task?.cancel()"),
        ("while true { guard let job = await self.next() else { break }; self.handle(job) }", "jobs.popLast()", ""),
        ("while true { if jobs.isEmpty { return }; self.handle(1) }", "nil", ""),
    ])
    func aTaskWhoseLoopEnds(_ loop: String, _ next: String, _ end: String) throws {
        #expect(try sure(Self.worker(loop, next, end)).isEmpty)
    }

    private static func host(_ load: String, _ shell: String = "private var shell: Shell") -> String {
        """
        protocol Tool: AnyObject { init(context: Shell) }
        final class Shell {
            private var tools: [any Tool] = []
            private var types: [any Tool.Type] = []
            func use(_ type: any Tool.Type) { types.append(type) }
            \(load.hasPrefix("add") ? "func add<Made: Tool>(_ type: Made.Type) { tools.append(Made(context: self)) }" : "")
            func start() { \(load) }
        }
        final class Echo: Tool {
            \(shell)
            init(context: Shell) { shell = context }
        }
        let shell = Shell()
        shell.use(Echo.self)
        shell.start()
        """
    }

    @Test(arguments: [
        "for type in types { tools.append(type.init(context: self)) }",
        "for type in types { let made = type.init(context: self); tools.append(made) }",
        "tools = types.map { $0.init(context: self) }", "add(Echo.self)",
    ])
    func whatAMetatypeMakesHoldsWhatItIsGiven(_ load: String) throws {
        #expect(try sure(Self.host(load)).map(\.rule) == ["object-cycle"])
        #expect(try sure(Self.host(load, "private weak var shell: Shell?")).isEmpty)
    }

    private static func game(_ block: String, _ end: String = "") -> String {
        """
        import Foundation
        final class Repeater {
            private let timer: Timer
            init(every seconds: Double, _ body: @escaping () -> Void) {
                timer = Timer(timeInterval: seconds, repeats: true) { _ in body() }
            }
            func cancel() { timer.invalidate() }
            deinit { timer.invalidate() }
        }
        final class Game {
            private var gravity: Repeater?
            private var rows = 0
            func begin() { gravity = Repeater(every: 0.5) { \(block) } }
            func drop() { rows += 1 }
            func over() { \(end) }
            deinit { gravity?.cancel() }
        }
        let game = Game()
        game.begin()
        game.over()
        """
    }

    @Test func aTimerKeepsTheBlockThatItsOwnerIsGiven() throws {
        #expect(try sure(Self.game("self.drop()")).map(\.holder) == ["Repeater.timer"])
        #expect(try sure(Self.game("[weak self] in self?.drop()")).isEmpty)
        #expect(try sure(Self.game("self.drop()", "gravity?.cancel()")).isEmpty)
        #expect(try sure(Self.game("self.drop()", "gravity = nil")).isEmpty)
    }
}
