// Cycles through closures and what they capture; and captures that keep nothing alive.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class PropertyOwner: Owner {
    var handler: () -> Void = {}
    @inline(never) func setUp() { handler = { self.number += 1 } }
}
final class OptionalOwner: Owner {
    var handler: ((Int) -> Void)?
    @inline(never) func setUp() { handler = { self.number += $0 } }
}
final class ArrayOwner: Owner {
    var handlers: [() -> Void] = []
    @inline(never) func setUp() {
        handlers.append {}
        handlers.append { self.number += 1 }
    }
}
final class DictionaryOwner: Owner {
    var handlers: [String: (Int) -> Int] = [:]
    @inline(never) func setUp() { handlers["double"] = { $0 * self.number } }
}
final class NestedOwner: Owner {
    var handler: () -> Void = {}
    @inline(never) func setUp() {
        handler = {
            let inner = { self.number += 1 }
            touch(inner)
            inner()
        }
    }
}
final class ClosureInClosureOwner: Owner {
    var handler: () -> Void = {}
    @inline(never) func setUp() {
        let inner = { self.number += 1 }
        let count = number
        handler = { for _ in 0..<count { inner() } }
    }
}
final class MethodOwner: Owner {
    var handler: (() -> Void)?
    func act() { number += 1 }
    @inline(never) func setUp() { handler = act }
}
final class VariableOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp() {
        var counter = self
        var calls = 0
        handler = {
            calls += 1
            counter.number += calls
            if calls > 100 { counter = VariableOwner() }
        }
        touch(calls)
    }
}
final class PartCaptureOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp(_ part: Part, _ other: Part) {
        let text = String(repeating: "captured ", count: 5)
        handler = {
            touch(text)
            part.number += 1
            other.number += 1
        }
    }
}
struct Captured {
    var number = 1
    var part: Part
    var text = "text"
}
final class StructCaptureOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp() {
        let captured = Captured(part: Part(self))
        handler = { touch(captured) }
    }
}
final class ExistentialCaptureOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp() {
        let anything: Any = Part(self)
        let number = self.number
        handler = {
            touch(anything)
            touch(number)
        }
    }
}
final class GenericCaptureOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp<T>(_ value: T) {
        let number = self.number
        handler = {
            touch(value)
            touch(number)
        }
    }
}
final class LazyClosureOwner: Owner {
    lazy var describe: () -> String = { "number \(self.number)" }
}
final class KeyPathOwner: Owner {
    var reader: ((KeyPathOwner) -> Int)?
    var get: (() -> Int)?
    @inline(never) func setUp(_ path: KeyPath<KeyPathOwner, Int>) { get = { self[keyPath: path] } }
}
final class Dialog {
    var number = 4
    let handler: () -> Void
    init(_ handler: @escaping () -> Void) { self.handler = handler }
}
final class DialogOwner: Owner {
    var dialog: Dialog?
    @inline(never) func show() { dialog = Dialog { self.number += 1 } }
}
final class SendableOwner: Owner, @unchecked Sendable {
    var handler: (@Sendable (Int) async throws -> String)?
    @inline(never) func setUp() { handler = { "\($0 + self.number)" } }
}
struct Actions {
    var tap: (() -> Void)?
    var name = "actions"
}
final class StructClosureOwner: Owner {
    var actions = Actions()
    @inline(never) func setUp() { actions.tap = { self.number += 1 } }
}
final class WeakOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp() { handler = { [weak self] in self?.number += 1 } }
}
final class UnownedOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp() { handler = { [unowned self] in self.number += 1 } }
}
final class WeakVariableOwner: Owner {
    var handler: (() -> Void)?
    @inline(never) func setUp() {
        weak var me: WeakVariableOwner? = self
        handler = {
            me?.number += 1
            if me?.number == -1 { me = nil }
        }
    }
}

@inline(never) func property() {
    let o = PropertyOwner()
    o.setUp()
    o.handler()
}
@inline(never) func optional() {
    let o = OptionalOwner()
    o.setUp()
    o.handler?(2)
}
@inline(never) func inArray() {
    let o = ArrayOwner()
    o.setUp()
    for handler in o.handlers { handler() }
}
@inline(never) func inDictionary() {
    let o = DictionaryOwner()
    o.setUp()
    touch(o.handlers["double"]?(2))
}
@inline(never) func nested() {
    let o = NestedOwner()
    o.setUp()
    o.handler()
}
@inline(never) func closureInClosure() {
    let o = ClosureInClosureOwner()
    o.setUp()
    o.handler()
}
@inline(never) func methodReference() {
    let o = MethodOwner()
    o.setUp()
    o.handler?()
}
@inline(never) func capturedVariable() {
    let o = VariableOwner()
    o.setUp()
    o.handler?()
}
@inline(never) func capturedPart() {
    let o = PartCaptureOwner()
    o.setUp(Part(), Part(o))
    o.handler?()
}
@inline(never) func capturedStruct() {
    let o = StructCaptureOwner()
    o.setUp()
    o.handler?()
}
@inline(never) func capturedExistential() {
    let o = ExistentialCaptureOwner()
    o.setUp()
    o.handler?()
}
@inline(never) func capturedGeneric() {
    let o = GenericCaptureOwner()
    o.setUp(Part(o))
    o.handler?()
}
@inline(never) func lazyClosure() {
    let o = LazyClosureOwner()
    touch(o.describe())
}
@inline(never) func keyPath() {
    let o = KeyPathOwner()
    o.setUp(\.number)
    touch(o.get?())
}
@inline(never) func dialog() {
    let o = DialogOwner()
    o.show()
    o.dialog?.handler()
}
@inline(never) func sendable() {
    let o = SendableOwner()
    o.setUp()
    touch(o)
}
@inline(never) func inStruct() {
    let o = StructClosureOwner()
    o.setUp()
    o.actions.tap?()
}
@inline(never) func weakCapture() {
    let o = WeakOwner()
    o.setUp()
    o.handler?()
}
@inline(never) func unownedCapture() {
    let o = UnownedOwner()
    o.setUp()
    o.handler?()
}
@inline(never) func weakVariable() {
    let o = WeakVariableOwner()
    o.setUp()
    o.handler?()
}

let cases: Cases = [
    "property": property, "optional": optional, "in-array": inArray, "in-dictionary": inDictionary, "nested": nested,
    "closure-in-closure": closureInClosure, "method": methodReference, "variable": capturedVariable,
    "captured-part": capturedPart, "captured-struct": capturedStruct, "captured-existential": capturedExistential,
    "captured-generic": capturedGeneric, "lazy": lazyClosure, "key-path": keyPath, "dialog": dialog,
    "sendable": sendable, "in-struct": inStruct, "weak": weakCapture, "unowned": unownedCapture,
    "weak-variable": weakVariable,
]
