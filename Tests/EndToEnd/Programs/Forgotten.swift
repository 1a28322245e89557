// Programs that let go of their screens while something that these registered keeps them alive: no leak, and forgotten.
import Dispatch
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

let screenCount = 60

/// What a screen works with.
final class Picture {
    var bytes: [UInt8]
    init(_ number: Int) { bytes = [UInt8](repeating: UInt8(number & 255), count: 4_000) }
}

extension Notification.Name {
    static let themeChanged = Notification.Name("themeChanged")
}

// ------------------------------------------------------------------------------------------------ the five of the test

/// Keeps the token of its observer, whose block captures it.
final class SettingsScreen {
    var picture: Picture
    var token: NSObjectProtocol?
    var shown = 0
    init(_ number: Int) {
        picture = Picture(number)
        token = NotificationCenter.default.addObserver(forName: .themeChanged, object: nil, queue: nil) { _ in
            self.shown += 1
        }
    }
    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}
@inline(never) func storedToken() {
    for number in 0..<screenCount { touch(SettingsScreen(number)) }
    NotificationCenter.default.post(name: .themeChanged, object: nil)
}

/// Keeps a repeating timer, whose block captures it.
final class ClockScreen {
    var picture: Picture
    var timer: Timer?
    var ticks = 0
    init(_ number: Int) { picture = Picture(number) }
    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 3_600, repeats: true) { _ in self.ticks += 1 }
    }
    deinit { timer?.invalidate() }
}
@inline(never) func repeatingTimer() {
    for number in 0..<screenCount {
        let screen = ClockScreen(number)
        screen.start()
    }
    RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
}

/// Keeps a dispatch source, whose handler captures it.
final class Poller {
    var picture: Picture
    var source: DispatchSourceTimer?
    var polls = 0
    init(_ number: Int) { picture = Picture(number) }
    func start() {
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(deadline: .now() + 3_600, repeating: 3_600)
        source.setEventHandler { self.polls += 1 }
        source.resume()
        self.source = source
    }
    deinit { source?.cancel() }
}
@inline(never) func dispatchSource() {
    for number in 0..<screenCount {
        let poller = Poller(number)
        poller.start()
    }
}

/// Keeps every picture that was ever asked for.
final class PictureCache {
    nonisolated(unsafe) static let shared = PictureCache()
    private var pictures: [String: Picture] = [:]
    func picture(_ name: String, _ number: Int) -> Picture {
        if let known = pictures[name] { return known }
        let made = Picture(number)
        pictures[name] = made
        return made
    }
}
final class Row {
    let title: String
    init(_ number: Int) { title = "a row with a title that is long enough to be allocated, number \(number)" }
}
@inline(never) func singletonCache() {
    for number in 0..<screenCount {
        let rows = (0..<20).map { Row($0) }
        touch(rows.map(\.title).joined().count)
        touch(PictureCache.shared.picture("picture number \(number) of the list", number).bytes.count)
    }
}

/// A bus that never forgets a handler.
final class EventBus {
    nonisolated(unsafe) static let shared = EventBus()
    private var handlers: [String: [(Int) -> Void]] = [:]
    func subscribe(_ topic: String, _ handler: @escaping (Int) -> Void) {
        handlers[topic, default: []].append(handler)
    }
    func publish(_ topic: String, _ value: Int) { for handler in handlers[topic] ?? [] { handler(value) } }
}
final class ChatScreen {
    var picture: Picture
    var seen = 0
    init(_ number: Int) {
        picture = Picture(number)
        EventBus.shared.subscribe("message") { self.seen += $0 }
    }
}
@inline(never) func eventBus() {
    for number in 0..<screenCount { touch(ChatScreen(number)) }
    EventBus.shared.publish("message", 1)
}

// ------------------------------------------------------------------------------------------------ more of the kind

/// The block captures a second object besides its maker.
final class Toolbar {
    var picture: Picture
    var token: NSObjectProtocol?
    init(_ number: Int, _ board: Picture) {
        picture = Picture(number)
        token = NotificationCenter.default.addObserver(forName: .themeChanged, object: nil, queue: nil) { _ in
            self.picture.bytes[0] = board.bytes[1]
        }
    }
}
nonisolated(unsafe) let board = Picture(1)
@inline(never) func twoCaptures() { for number in 0..<screenCount { touch(Toolbar(number, board)) } }

/// Throws the token away: nothing could remove the observer.
final class Banner {
    var picture: Picture
    var shown = 0
    init(_ number: Int) {
        picture = Picture(number)
        _ = NotificationCenter.default.addObserver(forName: .themeChanged, object: nil, queue: nil) { _ in
            self.shown += 1
        }
    }
}
@inline(never) func droppedToken() { for number in 0..<screenCount { touch(Banner(number)) } }

/// Keeps its tokens in a list.
final class Inspector {
    var picture: Picture
    var tokens: [NSObjectProtocol] = []
    var shown = 0
    init(_ number: Int) {
        picture = Picture(number)
        for name in ["themeChanged", "fontChanged"] {
            tokens.append(
                NotificationCenter.default.addObserver(
                    forName: Notification.Name(name), object: nil, queue: nil
                ) { _ in self.shown += 1 })
        }
    }
}
@inline(never) func listOfTokens() { for number in 0..<screenCount { touch(Inspector(number)) } }

/// A task that never ends, of an object that keeps it.
final class Feed: @unchecked Sendable {
    var picture: Picture
    var task: Task<Void, Never>?
    var rounds = 0
    init(_ number: Int) { picture = Picture(number) }
    func start() {
        task = Task.detached {
            while !Task.isCancelled {
                self.rounds += 1
                try? await Task.sleep(for: .seconds(3_600))
            }
        }
    }
    deinit { task?.cancel() }
}
@inline(never) func loopingTask() {
    for number in 0..<screenCount {
        let feed = Feed(number)
        feed.start()
    }
    waitForRest()
}

/// A timer that is kept by its run loop alone.
final class Animation {
    var picture: Picture
    var frames = 0
    init(_ number: Int) { picture = Picture(number) }
    func start() { _ = Timer.scheduledTimer(withTimeInterval: 3_600, repeats: true) { _ in self.frames += 1 } }
}
@inline(never) func looseTimer() {
    for number in 0..<screenCount {
        let animation = Animation(number)
        animation.start()
    }
}

/// A presenter and its view hold each other through the handler of the bus alone.
final class Presenter {
    let view: View
    var count = 0
    init(_ number: Int) {
        view = View(number)
        EventBus.shared.subscribe("change") { [view] in view.count += $0 + self.count }
    }
}
final class View {
    var picture: Picture
    var count = 0
    init(_ number: Int) { picture = Picture(number) }
}
@inline(never) func presenters() { for number in 0..<screenCount { touch(Presenter(number)) } }

/// A connection whose timeout was cancelled in time: its work item holds it until then.
final class Connection: @unchecked Sendable {
    var picture: Picture
    init(_ number: Int) { picture = Picture(number) }
    func abandon() { picture.bytes.removeAll() }
}
@inline(never) func cancelledTimeout() {
    let queue = DispatchQueue(label: "timeouts")
    for number in 0..<screenCount {
        let connection = Connection(number)
        let timeout = DispatchWorkItem { connection.abandon() }
        queue.asyncAfter(deadline: .now() + 3_600, execute: timeout)
        timeout.cancel()
    }
}

/// A superclass registers what its subclass is.
class Base {
    var picture: Picture
    var heard = 0
    init(_ number: Int) {
        picture = Picture(number)
        EventBus.shared.subscribe("change") { self.hear($0) }
    }
    func hear(_ count: Int) {}
}
final class Derived: Base {
    override func hear(_ count: Int) { heard += count }
}
@inline(never) func inheritedRegistration() { for number in 0..<screenCount { touch(Derived(number)) } }

let cases: Cases = [
    "stored-token": storedToken, "repeating-timer": repeatingTimer, "dispatch-source": dispatchSource,
    "singleton-cache": singletonCache, "event-bus": eventBus, "two-captures": twoCaptures,
    "dropped-token": droppedToken, "list-of-tokens": listOfTokens, "looping-task": loopingTask,
    "loose-timer": looseTimer, "presenters": presenters,
    "cancelled-timeout": cancelledTimeout, "inherited-registration": inheritedRegistration,
]
