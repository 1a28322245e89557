import Foundation

// MARK: - Tiny reactive layer

final class Cancellable {
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    func cancel() {
        action?()
        action = nil
    }

    func store(in bag: inout [Cancellable]) {
        bag.append(self)
    }

    deinit { cancel() }
}

protocol Publisher<Output> {
    associatedtype Output
    func sink(_ receive: @escaping (Output) -> Void) -> Cancellable
}

final class Subject<Output>: Publisher {
    private var receivers: [Int: (Output) -> Void] = [:]
    private var counter = 0

    func send(_ value: Output) {
        for receiver in receivers.values { receiver(value) }
    }

    func sink(_ receive: @escaping (Output) -> Void) -> Cancellable {
        counter += 1
        let key = counter
        receivers[key] = receive
        return Cancellable { [weak self] in self?.receivers[key] = nil }
    }
}

struct Mapped<Upstream: Publisher, Output>: Publisher {
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output

    func sink(_ receive: @escaping (Output) -> Void) -> Cancellable {
        upstream.sink { [transform] in receive(transform($0)) }
    }
}

struct Filtered<Upstream: Publisher>: Publisher {
    let upstream: Upstream
    let isIncluded: (Upstream.Output) -> Bool

    func sink(_ receive: @escaping (Upstream.Output) -> Void) -> Cancellable {
        upstream.sink { [isIncluded] in if isIncluded($0) { receive($0) } }
    }
}

extension Publisher {
    func map<T>(_ transform: @escaping (Output) -> T) -> Mapped<Self, T> {
        Mapped(upstream: self, transform: transform)
    }

    func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filtered<Self> {
        Filtered(upstream: self, isIncluded: isIncluded)
    }

    func assign<Root: AnyObject>(to path: ReferenceWritableKeyPath<Root, Output>, on root: Root) -> Cancellable {
        sink { root[keyPath: path] = $0 }
    }

    func weakAssign<Root: AnyObject>(to path: ReferenceWritableKeyPath<Root, Output>, on root: Root) -> Cancellable {
        sink { [weak root] in root?[keyPath: path] = $0 }
    }
}

// MARK: - Domain

struct Article {
    let title: String
    let tags: Set<String>
}

final class ArticleIndex {
    private let articles: [Article]
    let changes = Subject<Int>()

    init(_ articles: [Article]) {
        self.articles = articles
    }

    func find(_ text: String) -> [Article] {
        articles.filter { $0.title.lowercased().contains(text.lowercased()) || $0.tags.contains(text) }
    }

    func announce() { changes.send(articles.count) }
}

// MARK: - View models

final class SearchViewModel {
    let query = Subject<String>()
    private(set) var results: [Article] = []
    private(set) var status = "idle"
    private var bag: [Cancellable] = []
    private let index: ArticleIndex

    init(index: ArticleIndex) {
        self.index = index

        query
            .filter { !$0.isEmpty }
            .map { [index] text in index.find(text) }
            .sink { [weak self] found in self?.results = found }
            .store(in: &bag)

        query
            .map { "searching for \($0)" }
            .sink { text in
                DispatchQueue.main.async { [weak self] in
                    self?.status = text
                }
            }
            .store(in: &bag)
    }
}

final class BadgeViewModel {
    var text = "0"
    private let refresh = Subject<Int>()
    private var bag: [Cancellable] = []

    init(index: ArticleIndex) {
        refresh
            .map { $0 > 99 ? "99+" : String($0) }
            .assign(to: \.text, on: self)
            .store(in: &bag)
        index.changes
            .sink { [refresh] in refresh.send($0) }
            .store(in: &bag)
    }
}

final class HeaderViewModel {
    var subtitle = ""
    private let locale = Subject<String>()
    private var bag: [Cancellable] = []

    init() {
        locale
            .map { "Articles (\($0))" }
            .weakAssign(to: \.subtitle, on: self)
            .store(in: &bag)
    }

    func use(_ identifier: String) { locale.send(identifier) }
}

final class OneShotLoader {
    private var bag: [Cancellable] = []
    private let ready = Subject<Bool>()
    private(set) var loaded = false

    func load() {
        ready.sink { ok in
            self.loaded = ok
            self.bag.removeAll()
        }
        .store(in: &bag)
        ready.send(true)
    }
}

final class SearchScreen {
    let search: SearchViewModel
    let badge: BadgeViewModel
    let header = HeaderViewModel()
    let loader = OneShotLoader()

    init(index: ArticleIndex) {
        search = SearchViewModel(index: index)
        badge = BadgeViewModel(index: index)
    }

    func type(_ text: String) {
        loader.load()
        header.use("nb_NO")
        search.query.send(text)
        print(header.subtitle, badge.text, search.status, search.results.map(\.title), loader.loaded)
    }
}

func openAndClose(_ text: String) {
    let index = ArticleIndex([
        Article(title: "Swift ownership", tags: ["swift", "memory"]),
        Article(title: "Actors in practice", tags: ["swift", "concurrency"]),
    ])
    let screen = SearchScreen(index: index)
    index.announce()
    screen.type(text)
}

for text in ["actors", "memory", "nothing"] { openAndClose(text) }
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
