// 200 tasks wait for an answer, of which the table keeps the last 20 continuations: 180 never resume. Prints "waiting" and waits
// for a line.
import Foundation

actor Counter {
    private var waiting: [Int: UnsafeContinuation<Int, Never>] = [:]
    private(set) var asked = 0

    func answer(_ seat: Int) async -> Int {
        asked += 1
        return await withUnsafeContinuation { waiting[seat] = $0 }
    }
}

@main enum Program {
    static let counter = Counter()

    static func main() async throws {
        for guest in 0..<200 {
            Task { _ = await counter.answer(guest % 20) }
            if guest % 16 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        while await counter.asked < 200 { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(200))
        setvbuf(stdout, nil, _IONBF, 0)
        print("waiting")
        _ = readLine()
    }
}
