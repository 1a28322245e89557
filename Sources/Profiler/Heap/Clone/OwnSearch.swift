import Foundation
import Synchronization

/// Searches this process's own heap snapshots: a server on a hidden thread waits for the frozen copy of each.
package enum OwnSearch {
    /// Why this process cannot search, as a clause.
    package struct Failure: Error {
        package var clause: String
    }

    /// What became of a snapshot.
    package enum Taken {
        case no
        /// It was taken, and the trace may say why it was not searched.
        case unsearched
        case searched
    }

    /// Why a snapshot was not searched where the trace does not say it, as a clause.
    package static let unreached =
        "the copy of this process did not reach the search of its heap, as where it has set a filter of system calls (seccomp)"

    /// Microseconds before each further look where the stacks of other threads hide what they do not hold: those threads go on.
    package static let laterLooks: [UInt32] = [2_000, 10_000, 40_000, 100_000]

    private enum Place {
        case none, here
        /// The tool that records this process searches.
        case tool
    }

    private static let place = Mutex(Place.none)
    /// Results that copies were told.
    private static let answers = Atomic(0)
    /// The name of the socket that the hidden thread is to make; empty: it could not.
    private static let name = Mutex("")
    private static let hasBegun = DispatchSemaphore(value: 0)

    /// Takes a snapshot that is searched in this process, unless the tool that records it does so. Threads may do so side by side.
    /// - Parameters:
    ///   - hiddenThread: `gp_hidden_thread` of the recorder.
    ///   - searchAt: `gp_search_at`.
    ///   - take: `gp_snapshot`.
    package static func taking(
        hiddenThread: (@escaping @convention(c) () -> Void) -> Bool, searchAt: (UnsafePointer<CChar>?) -> Bool,
        _ take: () -> Bool
    ) throws(Failure) -> Taken {
        let isHere = try begin(hiddenThread, searchAt)
        let before = answers.load(ordering: .acquiring)
        guard take() else { return .no }
        return isHere && answers.load(ordering: .acquiring) == before ? .unsearched : .searched
    }

    /// - Returns: false: a tool searches.
    private static func begin(
        _ hiddenThread: (@escaping @convention(c) () -> Void) -> Bool, _ searchAt: (UnsafePointer<CChar>?) -> Bool
    ) throws(Failure) -> Bool {
        try place.withLock { (place) throws(Failure) in
            guard place == .none else { return place == .here }
            // No file is left behind, and nobody else can have taken the name.
            let socket = "@gameprof-search-\(getpid())-\(UInt64.random(in: 0 ... .max))"
            guard searchAt(socket) else {
                place = .tool
                return false
            }
            name.withLock { $0 = socket }
            let obstacle = make(hiddenThread)
            place = obstacle == nil ? .here : .none
            guard let obstacle else { return true }
            _ = searchAt(nil)
            throw Failure(clause: "the heap cannot be searched in this process: \(obstacle)")
        }
    }

    /// - Returns: why there is no server; nil: there is one.
    private static func make(_ hiddenThread: (@escaping @convention(c) () -> Void) -> Bool) -> String? {
        guard hiddenThread({ OwnSearch.serve() }) else {
            return "no thread can be made for it, or the process has set a filter of system calls (seccomp)"
        }
        hasBegun.wait()
        return name.withLock { $0.isEmpty } ? "no socket can be made for it" : nil
    }

    private static func serve() {
        let server = SearchServer(path: name.withLock { $0 }, isOpen: false)
        if server == nil { name.withLock { $0 = "" } }
        hasBegun.signal()
        guard let server else { return }
        server.serveHere { answers.add(1, ordering: .releasing) }
        place.withLock { $0 = .none }
    }
}
