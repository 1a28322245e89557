import Foundation
import GameprofPprof
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
    private let session = Mutex<URLSession?>(nil)

    /// Waits for the answer, at most so many seconds.
    func post(_ request: StoreRequest, seconds: Double) -> StoreAnswer {
        guard let url = URL(string: request.url), let task = task(request, url, seconds) else {
            return .failure(URLError.Code.cancelled.rawValue)
        }
        let exchange = Exchange()
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        task.resume()
        let isLate = exchange.end.wait(timeout: .now() + seconds) == .timedOut
        if isLate { task.cancel() }
        guard let ended = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }), !isLate else {
            return .failure(URLError.Code.timedOut.rawValue)
        }
        if let status = ended.status, ended.failure == nil { return .status(status, retryAfter: ended.retryAfter) }
        return .failure(ended.failure ?? URLError.Code.unknown.rawValue)
    }

    private func task(_ request: StoreRequest, _ url: URL, _ seconds: Double) -> URLSessionDataTask? {
        var message = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: seconds)
        message.httpMethod = "POST"
        message.httpBody = request.body
        for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
        return session.withLock { session in
            let used = session ?? makeSession()
            session = used
            return used.dataTask(with: message)
        }
    }

    private func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        CurrentPush.prepareExit()
        return session
    }

    /// Ends what is being sent. Nothing is sent afterwards.
    func cancel() { session.withLock { $0?.invalidateAndCancel() } }

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
