// Lost: the model's sink is ended only in the deinit of the screen, which is in the circle
final class Feed {
    var onItem: ((String) -> Void)?
    var onEnd: (() -> Void)?
    func push(_ text: String) { onItem?(text) }
}
final class FeedScreen {
    private let feed = Feed()
    private var items: [String] = []
    func appear() {
        feed.onItem = { text in self.items.append(text) }  // leak
    }
    func stop() { feed.onItem = nil }
    deinit { stop() }
}
final class Badge {
    private var feed: Feed?
    private var count = 0
    func attach(_ feed: Feed) {
        self.feed = feed
        feed.onEnd = { [weak self] in self?.count = 0 }
    }
}
func run() {
    let screen = FeedScreen()
    screen.appear()
    let badge = Badge()
    badge.attach(Feed())
}
run()
