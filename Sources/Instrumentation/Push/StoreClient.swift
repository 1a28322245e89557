import Foundation
import GameprofBasics
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests, one after the other.
final class StoreClient: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var status: Int?
        var retryAfter: Double?
        var failure: Int?
        let end = DispatchSemaphore(value: 0)
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])
    /// A session that was invalidated ends the program when it is asked for another task, so none is kept.
    private enum Connection {
        case none
        case open(URLSession)
        case ended
    }

    private let connection = Mutex(Connection.none)

    /// Waits for the answer, at most so many seconds.
    func post(_ request: StoreRequest, seconds: Double) -> StoreAnswer {
        let exchange = Exchange()
        guard let url = URL(string: request.url), let task = task(request, url, seconds, exchange) else {
            return .failure(URLError.Code.cancelled.rawValue)
        }
        task.resume()
        let isLate = exchange.end.wait(timeout: .now() + seconds) == .timedOut
        if isLate { task.cancel() }
        guard let ended = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }), !isLate else {
            return .failure(URLError.Code.timedOut.rawValue)
        }
        if let status = ended.status, ended.failure == nil { return .status(status, retryAfter: ended.retryAfter) }
        return .failure(ended.failure ?? URLError.Code.unknown.rawValue)
    }

    private func task(
        _ request: StoreRequest, _ url: URL, _ seconds: Double, _ exchange: Exchange
    ) -> URLSessionDataTask? {
        var message = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: seconds)
        message.httpMethod = "POST"
        message.httpBody = request.body
        for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
        return connection.withLock { connection in
            if case .none = connection { connection = .open(makeSession()) }
            guard case .open(let session) = connection else { return nil }
            // Known before `cancel` can end it: who waits for it is told.
            let task = session.dataTask(with: message)
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
            return task
        }
    }

    /// OpenSSL frees at exit what a thread of libcurl's or libdispatch's reads that ends meanwhile. It now frees nothing there,
    /// unless the program has used it before. C counterpart: `OPENSSL_init_crypto`.
    private static let keepsOpenSSL: Void = {
        typealias Start = @convention(c) (_ options: UInt64, _ settings: UnsafeRawPointer?) -> CInt
        let noExitHandler: UInt64 = 0x80000  // OPENSSL_INIT_NO_ATEXIT
        if let start = dlsym(nil, "OPENSSL_init_crypto") {
            _ = unsafeBitCast(start, to: Start.self)(noExitHandler, nil)
        }
    }()

    private func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = 1
        Self.keepsOpenSSL
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        CurrentPush.prepareExit()
        return session
    }

    /// Ends what is being sent. Nothing is sent afterwards.
    func cancel() {
        connection.withLock {
            if case .open(let session) = $0 { session.invalidateAndCancel() }
            $0 = .ended
        }
    }

    func urlSession(
        _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Double($0) }
            exchanges.withLock {
                $0[task.taskIdentifier]?.status = response.statusCode
                $0[task.taskIdentifier]?.retryAfter = retryAfter
            }
        }
        completionHandler(.allow)
    }

    /// A redirection is an answer like another: the token is for this server alone.
    func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        exchanges.withLock { $0[task.taskIdentifier]?.status = response.statusCode }
        completionHandler(nil)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let end = exchanges.withLock { exchanges -> DispatchSemaphore? in
            if let error { exchanges[task.taskIdentifier]?.failure = (error as NSError).code }
            return exchanges[task.taskIdentifier]?.end
        }
        end?.signal()
    }
}
