import Foundation

/// Fetches pages and retries.
final class Client {
    private let session: URLSession
    private var pending: [UUID: (Result<Data, any Error>) -> Void] = [:]
    private var retryTimer: Timer?
    private var completion: ((Data) -> Void)?
    private(set) var cache: [URL: Data] = [:]

    init(session: URLSession) {
        self.session = session
    }

    func fetch(_ url: URL) {
        session.dataTask(with: url) { data, _, _ in  // no-finding: stored-closure
            if let data { self.cache[url] = data }
        }.resume()
    }

    func fetchLater(_ url: URL) {
        session.dataTask(with: url) { [unowned self] data, _, _ in  // doubt: unowned-outlived
            self.cache[url] = data
        }.resume()
    }

    func send(_ request: Request) {
        let identifier = UUID()
        pending[identifier] = { result in  // no-finding: stored-closure
            self.pending[identifier] = nil
            print(result)
        }
    }

    func retry(every interval: TimeInterval, url: URL) {
        retryTimer = Timer.scheduledTimer(withTimeInterval: interval, repeats: true) { _ in  // suspect: timer
            self.fetch(url)
        }
    }

    func retryOnce(url: URL) {
        Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in  // no-finding: timer
            self.fetch(url)
        }
    }

    func download(_ url: URL, completion: @escaping (Data) -> Void) {
        self.completion = completion
        DispatchQueue.global().async { [weak self] in  // no-finding: unowned-outlived
            guard let self else { return }
            self.completion?(self.cache[url] ?? Data())
            self.completion = nil
        }
    }

    deinit {
        retryTimer?.invalidate()
    }
}
