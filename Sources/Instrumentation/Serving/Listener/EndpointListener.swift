import GameprofBasics

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
    private let listener: HTTPListener

    /// Listens until `stop()`, or for as long as the program runs.
    public init(at address: Address, endpoints: Endpoints = Endpoints()) throws(ListenError) {
        let place: HTTPListener.Address =
            switch address {
            case .loopback(let port): .loopback(port: port)
            case .unixSocket(let path): .unixSocket(path: path)
            }
        do throws(HTTPListener.ListenError) {
            listener = try HTTPListener(at: place, offering: "The figures", thread: "gameprof serve", .figures) {
                request, isOpen in
                let response = endpoints.respond(to: request.target, while: isOpen)
                return HTTPResponse(response.status, contentType: response.contentType, body: response.body)
            }
        } catch {
            throw ListenError(description: error.description)
        }
        self.address =
            switch listener.address {
            case .loopback(let port): .loopback(port: port)
            case .unixSocket(let path): .unixSocket(path: path)
            }
    }

    /// Listens no more. An answer that is being made is still sent.
    public func stop() { listener.stop() }
}
