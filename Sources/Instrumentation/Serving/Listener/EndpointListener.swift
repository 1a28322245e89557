import Foundation

/// A small HTTP listener for `Endpoints`, on three threads of its own: for programs that are no servers, and for pull agents.
///
/// ```swift
/// let listener = try EndpointListener(at: .loopback(port: 6060))
/// ```
///
/// Answers GET and HEAD, one request for each connection, and two at once, beside 32 that wait. A client has five seconds for its
/// whole request, and as many to take the answer, less when others wait. Of clients that have not sent theirs 16 are kept: the
/// oldest makes room for the next. It cannot be reached from other machines.
public final class EndpointListener: Sendable {
    /// Where it listens.
    public enum Address: Sendable, Hashable {
        /// `127.0.0.1`; port 0: a free one.
        case loopback(port: UInt16)
        /// A socket file that only this user may open. A socket that nobody listens at any more is replaced.
        case unixSocket(path: String)
    }

    /// Why it cannot listen, in one sentence.
    public struct ListenError: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// Where it listens, with the port that it was given.
    public let address: Address
    private let listening: ListeningSocket

    /// Listens until `stop()`, or for as long as the program runs.
    public init(at address: Address, endpoints: Endpoints = Endpoints()) throws(ListenError) {
        let listening = try ListeningSocket(address)
        (self.listening, self.address) = (listening, listening.address)
        let queue = RequestQueue()
        HelperThread.start("gameprof serve") {
            var reader = RequestReader(listening, to: queue)
            reader.run()
        }
        for _ in 0..<Self.answeringThreads {
            HelperThread.start("gameprof serve") {
                while let entry = queue.next() {
                    entry.connection.answer(entry.request, endpoints) { queue.isWaiting }
                }
            }
        }
    }

    /// A profile of CPU time takes one for as long as it was asked for.
    private static let answeringThreads = 2

    /// Listens no more. An answer that is being made is still sent.
    public func stop() { listening.close() }
}
