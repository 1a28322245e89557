// Retains and releases in numbers that the tests know: in one thread and in several, in copies that the library makes, in a
// child and in the handler of a signal.
import Foundation

final class Card {
    let number: Int
    init(_ number: Int) { self.number = number }
}

final class `<script>alert("type")</script>` {}

typealias Held = Unmanaged<Card>

nonisolated(unsafe) var signals = 0

@inline(never) func retainOften(_ held: Held, _ count: Int) {
    for _ in 0..<count { _ = held.retain() }
}

@inline(never) func releaseOften(_ held: Held, _ count: Int) {
    for _ in 0..<count { held.release() }
}

// With optimisation it ends in a jump.
@inline(never) func releaseLast(_ held: Held) { held.release() }

@inline(never) func `<img src=x onerror=alert(1)>`(_ held: Unmanaged<`<script>alert("type")</script>`>, _ count: Int) {
    while signals < count {
        _ = held.retain()
        signals += 1  // or it would be merged with the function above
    }
}

func runtime<Function>(_ name: String, _ type: Function.Type) -> Function {
    unsafeBitCast(dlsym(nil, name), to: Function.self)
}

@inline(never) func countTogether(_ held: Held) {
    let retain = runtime("swift_retain_n", (@convention(c) (UnsafeMutableRawPointer, UInt32) -> Void).self)
    let release = runtime("swift_release_n", (@convention(c) (UnsafeMutableRawPointer, UInt32) -> Void).self)
    retain(held.toOpaque(), 5)
    release(held.toOpaque(), 5)
}

@inline(never) func countNonatomically(_ held: Held, _ count: Int) {
    let retain = runtime("swift_nonatomic_retain", (@convention(c) (UnsafeMutableRawPointer) -> Void).self)
    let release = runtime("swift_nonatomic_release", (@convention(c) (UnsafeMutableRawPointer) -> Void).self)
    for _ in 0..<count { retain(held.toOpaque()) }
    for _ in 0..<count { release(held.toOpaque()) }
}

@inline(never) func copyOften(_ cards: [Card], _ count: Int) {
    for _ in 0..<count {
        var copy = cards
        copy.append(cards[0])
    }
}

@inline(never) func copySeldom(_ cards: [Card], _ count: Int) {
    for _ in 0..<count {
        var copy = cards
        copy.append(cards[1])
    }
}

nonisolated(unsafe) var signalled: Held?
let timer = Int32(1)  // ITIMER_VIRTUAL, of which Swift knows no number

// Each signal retains once and releases once.
func handleSignals(_ held: Held) {
    signalled = held
    signal(SIGVTALRM) { _ in
        signals += 1
        retainOften(signalled!, 1)
        releaseOften(signalled!, 1)
    }
    // Whoever started the program may have blocked it.
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, SIGVTALRM)
    sigprocmask(SIG_UNBLOCK, &only, nil)
    setTimer(microseconds: 1_000)
}

func setTimer(microseconds: Int) {
    let interval = timeval(tv_sec: 0, tv_usec: microseconds)
    var every = itimerval(it_interval: interval, it_value: interval)
    let set = runtime("setitimer", (@convention(c) (Int32, UnsafeMutablePointer<itimerval>, Int) -> Int32).self)
    _ = set(timer, &every, 0)
}

// Each does what it does by `count` retains and as many releases.
func count(_ way: String, _ count: Int, _ held: Held) {
    switch way {
    case "plain":
        retainOften(held, count)
        releaseOften(held, count)
    case "kinds":
        countTogether(held)
        countNonatomically(held, count)
    case "threads":
        let threads = (0..<8).map { _ in
            let thread = Thread {
                retainOften(held, count)
                releaseOften(held, count)
            }
            thread.start()
            return thread
        }
        while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
    case "jump":
        retainOften(held, count)
        for _ in 0..<count { releaseLast(held) }
    case "copies":
        let cards = (0..<1000).map(Card.init)
        copyOften(cards, 3 * count)
        copySeldom(cards, count)
    case "hostile":
        `<img src=x onerror=alert(1)>`(.passRetained(`<script>alert("type")</script>`()), count)
    case "leave":
        retainOften(held, count)
        _exit(3)
    case "fork":
        // What Swift hides.
        let child = runtime("fork", (@convention(c) () -> Int32).self)()
        if child == 0 {
            retainOften(held, 2 * count)
            _exit(0)
        }
        waitpid(child, nil, 0)
        retainOften(held, count)
    case "signals":
        handleSignals(held)
        var rounds = 0
        repeat {
            retainOften(held, count)
            releaseOften(held, count)
            rounds += 1
        } while signals < 20
        setTimer(microseconds: 0)
        print("\(rounds * count + signals)")
    default: exit(2)
    }
}

@main enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        count(arguments[1], Int(arguments[2])!, .passRetained(Card(1)))
    }
}
