import Foundation

/// Work that is taken out in one go, by a function that gets the whole queue.
enum Work { case plain(Step), named(String, Step) }
struct Step { var run: () -> Void }

final class Loop {
    private var waiting: [Work] = []
    private var turns = 0

    func execute(_ body: @escaping () -> Void) { keep(.plain(Step(run: body))) }

    private func keep(_ work: Work) { waiting.append(work) }

    func later() {
        execute { self.turns += 1 }  // no-finding: stored-closure
    }

    func turn() {
        var work: [Work] = []
        swap(&work, &waiting)
        for one in work {
            switch one {
            case .plain(let step), .named(_, let step): step.run()
            }
        }
    }
}

/// The same, and nothing takes anything out.
final class Heap {
    private var waiting: [Work] = []
    private var turns = 0

    func execute(_ body: @escaping () -> Void) { keep(.plain(Step(run: body))) }

    private func keep(_ work: Work) { waiting.append(work) }

    func later() {
        execute { self.turns += 1 }  // suspect: stored-closure
    }
}

/// Streams that hold the connection, until they are closed one by one.
final class Connection {
    private let streams = Streams()

    func open(_ number: Int) { streams.add(Stream(connection: self), number) }
    func close(_ number: Int) { streams.close(number) }
}

final class Streams {
    private var byNumber: [Int: Stream] = [:]

    func add(_ stream: Stream, _ number: Int) { byNumber[number] = stream }
    func close(_ number: Int) { byNumber.removeValue(forKey: number) }
}

final class Stream {
    private let connection: Connection  // no-finding: back-reference

    init(connection: Connection) { self.connection = connection }
}
