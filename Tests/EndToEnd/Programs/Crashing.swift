// Loses cycles and ends by a fault, in the way that its first argument names.
import Foundation

final class Janitor {
    nonisolated(unsafe) static let shared = Janitor()
    nonisolated(unsafe) static var last: Session?
    var closing: [Session] = []
    var byNumber: [Int: Session] = [:]

    @inline(never)
    func later(_ session: Session, _ way: String) {
        switch way {
        case "into a global": Janitor.last = session
        case "into a dictionary": byNumber[7] = session
        default: closing.append(session)
        }
    }
}

/// Its deinitializer hands it out, of the last one.
final class Session {
    let way: String?

    @inline(never)
    init(_ way: String?) { self.way = way }

    deinit { if let way { Janitor.shared.later(self, way) } }
}

/// Held by nothing but a register and the stack of the function that crashes.
@inline(never)
func crash(_ way: String, holding card: Card, in list: [Int]) -> Int {
    switch way {
    case "index": return list[list.count + card.number]
    case "nil": return (list.count > 100 ? card : nil)!.number
    case "write": UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = card.number
    case "stale":  // a register, or a word of the stack, names what is lost: so does what a crash handler copies
        let lost = loseCards(5)
        UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = card.number
        print(lost)
    case "escape", "into a global", "into a dictionary":
        for number in 0..<40 { _ = Session(number == 39 ? way : nil) }
    case "descriptors":
        setLimit()
        while open("/dev/null", O_RDONLY) >= 0 {}
        return list[list.count + card.number]
    case "thread", "full thread":
        let thread = Thread {
            // By then the main thread has come back from its start.
            usleep(100_000)
            _ = crash(way == "thread" ? "index" : "overflow", holding: card, in: list)
        }
        thread.start()
        while true { sleep(1) }
    case "overflow": return crash(way, holding: Card(card.number + 1), in: list) + card.number
    default: return 0
    }
    return card.number
}

func setLimit() {
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

@main enum Program {
    static func main() {
        setvbuf(stdout, nil, _IONBF, 0)
        for number in 0..<5 { loseCards(number) }
        print(crash(CommandLine.arguments[1], holding: Card(7), in: [1, 2, 3]))
    }
}
