import Foundation

// A server that keeps every session: each line "more" is a hundred requests, and with the argument "grow" they come by themselves.
// It has lost five cycles before.
final class Session {
    let number: Int
    let payload: [UInt8]

    init(_ number: Int) {
        self.number = number
        payload = [UInt8](repeating: 7, count: 500)
    }
}

final class SessionStore {
    nonisolated(unsafe) static let shared = SessionStore()
    var audit: [Session] = []
    /// Comes and goes.
    var recent: [Request] = []
}

final class Request {
    let number: Int
    init(_ number: Int) { self.number = number }
}

final class Peer {
    var other: Peer?
}

@main enum Main {
    private static let lock = NSLock()

    @inline(never) static func serve(_ count: Int) {
        lock.lock()
        defer { lock.unlock() }
        let store = SessionStore.shared
        for _ in 0..<count { store.audit.append(Session(store.audit.count)) }
        store.recent = (0..<(store.audit.count % 7 == 0 ? 300 : 10)).map { Request($0) }
    }

    @inline(never) static func lose(_ count: Int) {
        for _ in 0..<count {
            let (one, two) = (Peer(), Peer())
            (one.other, two.other) = (two, one)
        }
    }

    /// Overwrites what calls have left on the stack.
    @inline(never) static func clean() -> Int {
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 16) { bytes in
            for index in bytes.indices { bytes[index] = 1 }
            return bytes.reduce(0) { $0 + Int($1) }
        }
    }

    static func main() {
        let losing = Thread {
            lose(5)
            _ = clean()
        }
        losing.start()
        while !losing.isFinished { usleep(1000) }
        serve(100)
        if CommandLine.arguments.contains("grow") {
            let growing = Thread {
                while true {
                    serve(20)
                    usleep(50_000)
                }
            }
            growing.start()
        }
        _ = clean()
        print("waiting with \(SessionStore.shared.audit.count)")
        fflush(stdout)
        while readLine() == "more" {
            serve(100)
            print("waiting with \(SessionStore.shared.audit.count)")
            fflush(stdout)
        }
        print("ended")
    }
}
