import Foundation

struct Quote: Sendable, Codable, Equatable {
    let symbol: String
    let bid: Double
    let ask: Double

    var mid: Double { (bid + ask) / 2 }
}

enum Frame: Sendable {
    case text(String)
    case ping
}

final class FrameSocket: Sendable {
    let frames: AsyncStream<Frame>
    private let continuation: AsyncStream<Frame>.Continuation

    init() {
        (frames, continuation) = AsyncStream.makeStream(of: Frame.self)
    }

    func inject(_ frame: Frame) {
        continuation.yield(frame)
    }

    func close() {
        continuation.finish()
    }
}

@MainActor
final class MarketFeed {
    private let socket: FrameSocket
    private var receiver: Task<Void, Never>?
    private var watchdog: Task<Void, Never>?
    private var quotes: [String: Quote] = [:]
    private var lastActivity = ContinuousClock.now
    private(set) var isStale = false

    init(socket: FrameSocket) {
        self.socket = socket
    }

    isolated deinit {
        socket.close()
        receiver?.cancel()
        watchdog?.cancel()
    }

    func connect() {
        receiver = Task { [weak self] in
            guard let self else { return }
            for await frame in self.socket.frames {
                self.handle(frame)
            }
        }
        watchdog = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(50))
                guard let self else { break }
                self.checkActivity()
            }
        }
    }

    func quote(for symbol: String) -> Quote? {
        quotes[symbol]
    }

    private func handle(_ frame: Frame) {
        lastActivity = .now
        switch frame {
        case .ping:
            isStale = false
        case .text(let payload):
            guard let quote = Self.decode(payload) else { return }
            quotes[quote.symbol] = quote
        }
    }

    private func checkActivity() {
        isStale = ContinuousClock.now - lastActivity > .seconds(1)
    }

    private static func decode(_ payload: String) -> Quote? {
        let fields = payload.split(separator: "|")
        guard fields.count == 3, let bid = Double(fields[1]), let ask = Double(fields[2]) else { return nil }
        return Quote(symbol: String(fields[0]), bid: bid, ask: ask)
    }
}

@MainActor
struct Ticker {
    let feed: MarketFeed
    var symbols: [String]

    func line() -> String {
        symbols
            .compactMap { feed.quote(for: $0) }
            .map { "\($0.symbol) \($0.mid)" }
            .joined(separator: "  ")
    }
}

@MainActor
func runDesk(_ symbols: [String]) async {
    let socket = FrameSocket()
    let feed = MarketFeed(socket: socket)
    feed.connect()
    for (offset, symbol) in symbols.enumerated() {
        socket.inject(.text("\(symbol)|\(100 + offset)|\(101 + offset)"))
    }
    socket.inject(.ping)
    try? await Task.sleep(for: .milliseconds(20))
    print(Ticker(feed: feed, symbols: symbols).line(), feed.isStale)
}

await runDesk(["AAPL", "NVDA"])
await runDesk(["ASML"])
