import Foundation

struct Track: Hashable {
    let title: String
    let artist: String
    let seconds: Int
}

struct Deque<Element>: Sequence {
    final class Node {
        let element: Element
        fileprivate(set) var next: Node?
        fileprivate(set) var previous: Node?

        init(_ element: Element) {
            self.element = element
        }
    }

    private var first: Node?
    private var last: Node?
    private(set) var count = 0

    mutating func append(_ element: Element) {
        let node = Node(element)
        if let tail = last {
            tail.next = node
            node.previous = tail
        } else {
            first = node
        }
        last = node
        count += 1
    }

    mutating func prepend(_ element: Element) {
        let node = Node(element)
        if let head = first {
            head.previous = node
            node.next = head
        } else {
            last = node
        }
        first = node
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard let node = first else { return nil }
        first = node.next
        first?.previous = nil
        if first == nil { last = nil }
        node.next = nil
        count -= 1
        return node.element
    }

    func makeIterator() -> AnyIterator<Element> {
        var cursor = first
        return AnyIterator {
            defer { cursor = cursor?.next }
            return cursor?.element
        }
    }
}

protocol PlayerDelegate: AnyObject {
    func player(_ player: Player, didStart track: Track)
    func playerDidDrain(_ player: Player)
}

final class Player {
    private var queue = Deque<Track>()
    private(set) var current: Track?
    private var played: [Track] = []
    weak var delegate: (any PlayerDelegate)?

    func enqueue(_ track: Track, next: Bool = false) {
        if next { queue.prepend(track) } else { queue.append(track) }
    }

    func skip() {
        if let current {
            played.append(current)
            if played.count > 25 { played.removeFirst() }
        }
        current = queue.popFirst()
        if let current {
            delegate?.player(self, didStart: current)
        } else {
            delegate?.playerDidDrain(self)
        }
    }

    var remaining: Int {
        queue.reduce(0) { $0 + $1.seconds }
    }
}

final class NowPlayingBanner: PlayerDelegate {
    private let player: Player
    private(set) var text = ""

    init(player: Player) {
        self.player = player
        player.delegate = self
    }

    func player(_ player: Player, didStart track: Track) {
        text = "\(track.artist): \(track.title), \(player.remaining)s left"
    }

    func playerDidDrain(_ player: Player) {
        text = "Nothing playing"
    }
}

func partyMode() {
    let banner: NowPlayingBanner
    do {
        let player = Player()
        banner = NowPlayingBanner(player: player)
        for index in 1...6 {
            player.enqueue(Track(title: "Song \(index)", artist: "Band", seconds: 180 + index))
        }
        player.enqueue(Track(title: "Opener", artist: "Solo", seconds: 90), next: true)
        player.skip()
        player.skip()
    }
    print(banner.text)
}

partyMode()
