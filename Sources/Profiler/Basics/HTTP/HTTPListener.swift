import Foundation

/// A small HTTP listener that this machine alone can reach, on three threads of its own.
///
/// One request for each connection, and two at once, beside 32 that wait. A client has five seconds for its whole request, and
/// as many to take the answer, less when others wait. Of clients that have not sent theirs 16 are kept: the oldest makes room
/// for the next.
package final class HTTPListener: Sendable {
    /// Where it listens.
    package enum Address: Sendable, Hashable {
        /// `127.0.0.1`; port 0: a free one.
        case loopback(port: UInt16)
        /// A socket file that only this user may open. A socket that nobody listens at any more is replaced.
        case unixSocket(path: String)
    }

    /// Why it cannot listen, in one sentence.
    package struct ListenError: Error, Sendable {
        package let description: String
    }

    /// Answers a request that the rules allow, on one of two threads; whether the other end still waits can be asked meanwhile.
    package typealias Answer = @Sendable (_ request: HTTPRequest, _ isOpen: () -> Bool) -> HTTPResponse

    /// Where it listens, with the port that it was given.
    package let address: Address
    private let listening: ListeningSocket

    /// A profile of CPU time takes one for as long as it was asked for.
    private static let answeringThreads = 2

    /// Listens until `stop()`, or for as long as the program runs.
    /// - Parameters:
    ///   - what: is offered there: `The figures`.
    ///   - thread: the name of its threads.
    package init(
        at address: Address, offering what: String, thread: String, _ rules: RequestRules, answer: @escaping Answer
    ) throws(ListenError) {
        let listening = try ListeningSocket(address, offering: what)
        (self.listening, self.address) = (listening, listening.address)
        let queue = RequestQueue()
        HelperThread.start(thread) {
            var reader = RequestReader(listening, to: queue, rules)
            reader.run()
        }
        for _ in 0..<Self.answeringThreads {
            HelperThread.start(thread) {
                while let entry = queue.next() {
                    entry.connection.answer(entry.request, by: answer) { queue.isWaiting }
                }
            }
        }
    }

    /// Listens no more. An answer that is being made is still sent.
    package func stop() { listening.close() }
}
