import Foundation
import GameprofProcessFigures
import InstrumentationEndpoints

/// A small HTTP listener for `Endpoints`, on three threads of its own: for programs that are no servers, and for pull agents.
///
/// ```swift
/// let listener = try EndpointListener(at: .loopback(port: 6060))
/// ```
///
/// Answers GET and HEAD, one request for each connection, and three connections at once. Further ones wait in the kernel, 16 of
/// them. A client that is slow is left after five seconds. It cannot be reached from other machines.
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
        listening = try ListeningSocket(address, threads: Self.threads)
        self.address = listening.address
        for _ in 0..<Self.threads {
            let listening = listening
            HelperThread.start("gameprof serve") {
                while let connection = listening.accept() { HTTPConnection(connection).serve(endpoints) }
            }
        }
    }

    private static let threads = 3

    /// Listens no more. An answer that is being made is still sent.
    public func stop() { listening.close() }
}
