// Leaks whose fix must be one that can be typed: what can be cleared is declared in different ways, and some of it cannot.
import Foundation
import Synchronization

@main enum Program {
    static func main() { run(cases) }
}

final class Bell: Owner {
    private var strike: (() -> Void)?
    @inline(never) func start() { strike = { self.number += 1 } }
}
@inline(never) func optional() { Bell().start() }

final class Choir: Owner {
    private var voices: [() -> Void] = []
    @inline(never) func join() { voices.append { self.number += 1 } }
}
@inline(never) func collection() { Choir().join() }

final class Horn: Owner {
    var sound: () -> Void = {}
    @inline(never) func tune() { sound = { self.number += 1 } }
}
@inline(never) func function() { Horn().tune() }

final class Letter: Owner {
    lazy var text: () -> String = { "No. \(self.number)" }
}
@inline(never) func lazyProperty() { touch(Letter().text()) }

final class Feed: Owner {
    let readers = Mutex<[() -> Void]>([])
    @inline(never) func read() {
        nonisolated(unsafe) let reader = { self.number += 1 }
        readers.withLock { $0.append(reader) }
    }
}
@inline(never) func locked() { Feed().read() }

final class Errand {
    let completion: () -> Void
    init(_ completion: @escaping () -> Void) { self.completion = completion }
}
final class Courier: Owner {
    enum State {
        case idle
        case out(Errand, Int)
    }
    var state = State.idle
    @inline(never) func send() { state = .out(Errand { self.number += 1 }, 1) }
}
@inline(never) func enumeration() { Courier().send() }

protocol GateDelegate {}
final class Gate {
    let delegate: any GateDelegate
    init(_ delegate: any GateDelegate) { self.delegate = delegate }
}
final class Yard: Owner, GateDelegate {
    var gates: [Gate] = []
    @inline(never) func build() { gates.append(Gate(self)) }
}
@inline(never) func existential() { Yard().build() }

protocol BandDelegate {}
struct ScreenDelegate: BandDelegate {
    var screen: Display
}
final class Band {
    var delegate: (any BandDelegate)?
}
final class Display: Owner {
    let band: Band
    init(_ band: Band) {
        self.band = band
        super.init()
        band.delegate = ScreenDelegate(screen: self)
    }
}
@inline(never) func structure() { touch(Display(Band())) }

final class Stage {
    var next: Stage?
    var previous: Stage?
    let line: Line
    init(_ line: Line) { self.line = line }
}
final class Line {
    var head: Stage?
    var channel: Channel?
    @inline(never) func build() {
        let (first, second) = (Stage(self), Stage(self))
        (first.next, second.previous, head) = (second, first, first)
    }
    @inline(never) func dismantle() {
        var stage = head
        while let now = stage {
            stage = now.next
            (now.next, now.previous) = (nil, nil)
        }
        (head, channel) = (nil, nil)
        settle()
    }
}
final class Channel: Owner {
    var line: Line?
    @inline(never) func open() {
        let line = Line()
        (self.line, line.channel) = (line, self)
        line.build()
    }
    @inline(never) func close() {
        line?.dismantle()
        touch(number)
    }
}
@inline(never) func serve(_ number: Int) {
    let channel = Channel()
    channel.open()
    if number % 2 == 0 { channel.close() }
    touch(number)
}
@inline(never) func knot() { for number in 0..<6 { serve(number) } }

final class Ticket: Owner {}
@inline(never) func retained() { touch(Unmanaged.passRetained(Ticket()).toOpaque()) }

let cases: Cases = [
    "optional": optional, "collection": collection, "function": function, "lazy": lazyProperty, "locked": locked,
    "enumeration": enumeration, "existential": existential, "structure": structure, "knot": knot,
    "retained": retained,
]
