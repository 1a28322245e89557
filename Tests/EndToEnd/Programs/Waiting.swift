import Foundation

// A server that waits: objects in known numbers, five lost cycles, a timer, a thread that reads a pipe and one that sleeps.
final class Card {
    let name: String
    init(_ name: String) { self.name = name }
}

struct Pair {
    var left: Card
    var right: Card?
}

enum Shape {
    case circle(Card)
    case square(Card, Int)
    case nothing
}

protocol Drawable {}

final class Button: Drawable {
    var action: (() -> Void)?
    weak var owner: Screen?
    unowned let card: Card
    init(_ card: Card) { self.card = card }
}

final class Screen {
    var buttons: [Button] = []
    var cards: [String: Card] = [:]
    var pair = Pair(left: Card("left"), right: Card("right"))
    var shape: Shape
    var drawable: any Drawable
    var taps = 3

    init(_ number: Int) {
        shape = .square(Card("square"), number)
        let button = Button(pair.left)
        drawable = button
        for index in 0..<10 { cards["a key too long for a small string \(index)"] = Card("\(index)") }
        buttons.append(button)
    }

    func wire() {
        for button in buttons {
            button.owner = self
            button.action = { self.taps += 1 }
        }
    }
}

class Base {
    var base: Card? = Card("base")
}

final class Derived: Base {
    var list: [Card] = [Card("first"), Card("second")]
}

final class Node {
    var next: Node?
}

final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

@main
enum Main {
    nonisolated(unsafe) static var list = Node()
    nonisolated(unsafe) static var boxes = (0..<50).map { Box($0) }
    nonisolated(unsafe) static var derived = Derived()
    nonisolated(unsafe) static var screens = [Screen(1), Screen(2)]
    nonisolated(unsafe) static var shown: [Screen] = []
    nonisolated(unsafe) static var cleaned = 0

    @inline(never) static func lose(_ count: Int) {
        for index in 0..<count {
            shown.append(Screen(index))
            shown[0].wire()
            // Its place in the array is not cleared.
            shown.removeLast()
        }
    }

    /// Overwrites what calls have left on the stack.
    @inline(never) static func clean(_ byte: UInt8) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 16) { bytes in
            for index in bytes.indices { bytes[index] = byte }
            return bytes.reduce(0) { $0 + Int($1) }
        }
    }

    static func main() {
        for _ in 1..<1000 {
            let node = Node()
            node.next = list
            list = node
        }
        let counted = boxes.count + screens.count + derived.list.count
        // The next thread gets this one's stack, with what it left there.
        let worker = Thread {
            lose(5)
            cleaned += clean(1)
        }
        worker.start()
        while !worker.isFinished { usleep(1000) }
        let pipe = Pipe()
        let reader = Thread { print("read \(pipe.fileHandleForReading.readDataToEndOfFile().count)") }
        reader.start()
        nonisolated(unsafe) var ticks = 0
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now(), repeating: .milliseconds(5))
        timer.setEventHandler { ticks += 1 }
        timer.resume()
        cleaned += clean(1)
        print("waiting \(counted)")
        fflush(stdout)
        let line = readLine() ?? "nothing"
        pipe.fileHandleForWriting.write(Data(repeating: 7, count: 1000))
        try? pipe.fileHandleForWriting.close()
        while !reader.isFinished { usleep(1000) }
        print("\(line), \(ticks > 3 ? "ticking" : "stopped")")
    }
}
