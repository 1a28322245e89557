// Grows in six ways until it ends, and once in a part that is freed before.
import Foundation

final class Thumbnail {
    let pixels: [UInt8]
    init(_ number: Int) { pixels = [UInt8](repeating: UInt8(number & 255), count: 2_048) }
}

final class ThumbnailCache {
    nonisolated(unsafe) static let shared = ThumbnailCache()
    var entries: [Int: Thumbnail] = [:]

    func thumbnail(_ number: Int) -> Thumbnail {
        if let known = entries[number] { return known }
        let made = Thumbnail(number)
        entries[number] = made
        return made
    }
}

final class Page {
    let number: Int
    var next: Page?
    weak var previous: Page?
    var text: [UInt8]
    init(_ number: Int) {
        self.number = number
        text = [UInt8](repeating: 1, count: 700)
    }
}

/// Its eviction compares with the wrong number, and frees nothing.
final class PageCache {
    var pages: [Int: Page] = [:]
    var first: Page?
    var evicted = 0

    func page(_ number: Int) -> Page {
        let page = Page(number)
        page.next = first
        first?.previous = page
        first = page
        pages[number] = page
        if pages.count - evicted > 20 { evicted += 1 }
        return page
    }
}

final class Job {
    let number: Int
    let payload: String
    init(_ number: Int) {
        self.number = number
        payload = String(repeating: "payload \(number) ", count: 40)
    }
}

final class RetryQueue {
    var pending: [() -> Bool] = []
    func add(_ job: Job) { pending.append { job.payload.isEmpty } }
    func drain() { pending = pending.filter { !$0() } }
}

struct Letter {
    var topic: String
    var body: [UInt8]
}

struct Broker {
    var dead: [Letter] = []
    mutating func deliver(_ number: Int) {
        dead.append(Letter(topic: "orders", body: [UInt8](repeating: 2, count: 500)))
    }
}

final class Connection {
    var buffer = [UInt8](repeating: 0, count: 1_024)
}

@inline(never) func connect() {
    let connection = Connection()
    let timeout = DispatchWorkItem { connection.buffer[0] = 1 }
    DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: timeout)
    timeout.cancel()
}

final class TitleIndex {
    var titles: [Substring] = []
    func add(_ number: Int) {
        let text = String(repeating: "words of document \(number) ", count: 120)
        titles.append(text.prefix(16))
    }
}

final class Particle {
    var trail = [Double](repeating: 1, count: 60)
}

final class Level {
    var particles: [Particle] = []
    func frame() { for _ in 0..<10 { particles.append(Particle()) } }
}

final class Service {
    let pages = PageCache()
    let retries = RetryQueue()
    var broker = Broker()
    let index = TitleIndex()

    func handle(_ round: Int) -> Int {
        var sum = 0
        for number in round * 4..<round * 4 + 4 {
            sum += Int(ThumbnailCache.shared.thumbnail(number).pixels[0]) + pages.page(number).text.count
            retries.add(Job(number))
            broker.deliver(number)
            connect()
            index.add(number)
        }
        retries.drain()
        return sum
    }

    @inline(never) func play(_ rounds: Range<Int>) -> Int {
        let level = Level()
        var sum = 0
        for round in rounds {
            sum += handle(round)
            level.frame()
            usleep(1_000)
        }
        return sum + level.particles.count
    }
}

let service = Service()
var sum = service.play(0..<120)
for round in 120..<200 {
    sum += service.handle(round)
    usleep(1_000)
}
print(sum > 0 ? "grown" : "")
exit(0)
